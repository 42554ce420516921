//! Promises of the cache: right or missing, bounded, and no harm from anybody.

use std::sync::Arc;

use super::*;
use crate::{Job, Warning};

/// A folder that is removed with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tungsten-cache-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn key(ir: &str) -> Key {
    let job = Job {
        ir: ir.to_owned(),
        processor: "gfx803".to_owned(),
        features: String::new(),
        instructions: 1,
    };
    Key::of(&job, Path::new("/nowhere/libLLVM.so"))
}

fn output(size: usize) -> Output {
    Output {
        assembly: "s_endpgm ".repeat(size / 9),
        code: vec![7; 16],
        warnings: vec![Warning { line: 3, message: "large".to_owned() }],
    }
}

fn only_file(folder: &Folder) -> PathBuf {
    let mut files = fs::read_dir(&folder.0).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    file
}

#[test]
fn what_is_kept_comes_back_to_others_too() {
    let folder = Folder::new("back");
    let cache = Cache::new(&folder.0, Bounds::default());
    assert_eq!(cache.get(key("a")), None);
    cache.put(key("a"), &output(100));
    assert_eq!(cache.get(key("a")), Some(output(100)));
    let other = Cache::new(&folder.0, Bounds::default());
    assert_eq!(other.get(key("a")), Some(output(100)));
    assert_eq!(other.get(key("b")), None);
    assert_eq!(other.contents().entries, 1);
}

/// A change of the bytes of entries needs another end of their names, and is made here too.
#[test]
fn the_bytes_of_an_entry_are_those_that_its_name_says() {
    let folder = Folder::new("form");
    let cache = Cache::new(&folder.0, Bounds::default());
    cache.put(key("a"), &output(9));
    let file = only_file(&folder);
    assert!(file.to_string_lossy().ends_with(".compiled3"));
    let bytes = fs::read(&file).unwrap();
    let mut expected = b"\x09s_endpgm \x10".to_vec();
    expected.extend([7; 16]);
    expected.extend(b"\x01\x03\x05large");
    assert_eq!(bytes[HEAD_END..], expected);
}

#[test]
fn entries_of_other_versions_are_not_read_but_make_room() {
    let folder = Folder::new("versions");
    let cache = Cache::new(&folder.0, Bounds { entries: 4, ..Bounds::default() });
    cache.put(key("a"), &output(50));
    let own = only_file(&folder);
    for (number, text) in ["{}", "s_endpgm", "", "1"].into_iter().enumerate() {
        fs::write(folder.0.join(format!("{number}.compiled1")), text).unwrap();
    }
    assert_eq!(cache.contents().entries, 5);
    fs::rename(&own, own.with_extension("compiled1")).unwrap();
    assert_eq!(cache.get(key("a")), None);
    let fresh = Cache::new(&folder.0, Bounds { entries: 4, ..Bounds::default() });
    fresh.put(key("a"), &output(50));
    assert!(fresh.contents().entries <= 4);
    assert_eq!(fresh.get(key("a")), Some(output(50)));
}

#[test]
fn the_key_is_of_all_that_the_result_depends_on() {
    let job = |ir: &str, processor: &str, features: &str, instructions| Job {
        ir: ir.to_owned(),
        processor: processor.to_owned(),
        features: features.to_owned(),
        instructions,
    };
    let library = Path::new("/nowhere/libLLVM.so");
    let one = Key::of(&job("a", "gfx803", "", 1), library);
    assert_eq!(one, Key::of(&job("a", "gfx803", "", 9), library));
    for other in [job("b", "gfx803", "", 1), job("a", "gfx600", "", 1), job("a", "gfx803", "x", 1)]
    {
        assert_ne!(one, Key::of(&other, library));
    }
    assert_ne!(one, Key::of(&job("a", "gfx803", "", 1), Path::new("/nowhere/libLLVM-15.so")));
    // A library that is replaced in its place is another one.
    let folder = Folder::new("library");
    fs::create_dir_all(&folder.0).unwrap();
    let library = folder.0.join("libLLVM.so");
    fs::write(&library, "old").unwrap();
    let old = Key::of(&job("a", "gfx803", "", 1), &library);
    fs::write(&library, "newer").unwrap();
    assert_ne!(old, Key::of(&job("a", "gfx803", "", 1), &library));
}

#[test]
fn every_damage_is_a_miss_and_goes_away() {
    let folder = Folder::new("damage");
    let cache = Cache::new(&folder.0, Bounds::default());
    cache.put(key("a"), &output(50));
    let file = only_file(&folder);
    let good = fs::read(&file).unwrap();
    for place in 0..good.len() {
        let mut wrong = good.clone();
        wrong[place] ^= 0x10;
        fs::write(&file, &wrong).unwrap();
        assert_eq!(cache.get(key("a")), None, "byte {place}");
        assert!(!file.exists());
    }
    for length in [0, 1, HEAD_END, good.len() - 1] {
        fs::write(&file, &good[..length]).unwrap();
        assert_eq!(cache.get(key("a")), None, "length {length}");
    }
    let longer = [&good[..], b"x"].concat();
    fs::write(&file, longer).unwrap();
    assert_eq!(cache.get(key("a")), None);
    // Another key's entry under this name.
    cache.put(key("b"), &output(50));
    fs::rename(only_file(&folder), &file).unwrap();
    assert_eq!(cache.get(key("a")), None);
    cache.put(key("a"), &output(50));
    assert_eq!(cache.get(key("a")), Some(output(50)));
}

const HEAD_END: usize = entry::HEAD;

#[test]
fn the_least_recently_used_go_when_there_are_too_many() {
    let folder = Folder::new("bounds");
    let cache = Cache::new(&folder.0, Bounds { bytes: 1 << 20, entries: 8 });
    for number in 0..8 {
        cache.put(key(&number.to_string()), &output(100));
        let age = Duration::from_secs(60 * 60 * 24 * (20 - number));
        let times = fs::FileTimes::new().set_modified(SystemTime::now() - age);
        let file = fs::File::options().append(true).open(cache.path(key(&number.to_string())));
        file.unwrap().set_times(times).unwrap();
    }
    assert!(cache.get(key("0")).is_some(), "a use makes it the newest");
    cache.put(key("new"), &output(100));
    let contents = cache.contents();
    assert!(contents.entries <= 8 && contents.entries >= 5, "{contents:?}");
    assert!(cache.get(key("0")).is_some());
    assert!(cache.get(key("new")).is_some());
    assert_eq!(cache.get(key("1")), None);

    let small = Cache::new(&folder.0, Bounds { bytes: 4000, entries: 100 });
    for number in 0..100 {
        small.put(key(&format!("small {number}")), &output(300));
        assert!(small.contents().bytes <= 4000);
    }
    small.put(key("huge"), &output(2000));
    assert_eq!(small.get(key("huge")), None);
}

#[test]
fn a_folder_that_cannot_be_written_is_no_fault() {
    let folder = Folder::new("unwritable");
    fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("file");
    fs::write(&file, "no folder").unwrap();
    // A file stands where the folder should be: whoever we are, this fails.
    let cache = Cache::new(file.join("cache"), Bounds::default());
    for number in 0..5 {
        cache.put(key(&number.to_string()), &output(10));
        assert_eq!(cache.get(key(&number.to_string())), None);
    }
    assert_eq!(cache.contents(), Contents::default());
    // A folder where an entry should be.
    let cache = Cache::new(&folder.0, Bounds::default());
    fs::create_dir_all(cache.path(key("a"))).unwrap();
    cache.put(key("a"), &output(10));
    assert_eq!(cache.get(key("a")), None);
    let names = fs::read_dir(&folder.0).unwrap().flatten().map(|it| it.file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().ends_with(UNFINISHED)));
}

/// A real full disk.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs the right to mount a disk: cargo test -p tungsten-llvm -- --ignored"]
fn a_full_disk_is_no_fault() {
    use std::process::Command;
    let folder = Folder::new("full");
    fs::create_dir_all(&folder.0).unwrap();
    let mount = ["-t", "tmpfs", "-o", "size=64k", "tmpfs"];
    let mounted = Command::new("mount").args(mount).arg(&folder.0).output().unwrap();
    assert!(mounted.status.success(), "{}", String::from_utf8_lossy(&mounted.stderr));
    let cache = Cache::new(&folder.0, Bounds::default());
    cache.put(key("small"), &output(100));
    cache.put(key("large"), &output(200_000));
    let found = (cache.get(key("small")), cache.get(key("large")));
    let names: Vec<_> = fs::read_dir(&folder.0).unwrap().flatten().map(|it| it.path()).collect();
    let unmounted = Command::new("umount").arg(&folder.0).status();
    assert!(unmounted.is_ok_and(|it| it.success()));
    assert_eq!(found, (Some(output(100)), None));
    assert_eq!(names.len(), 1, "what was not finished is removed: {names:?}");
}

#[test]
fn many_writers_and_readers_see_whole_entries_only() {
    let folder = Folder::new("many");
    let bounds = Bounds { bytes: 200_000, entries: 20 };
    let caches: Vec<Arc<Cache>> = (0..4).map(|_| Arc::new(Cache::new(&folder.0, bounds))).collect();
    std::thread::scope(|scope| {
        for (thread, cache) in caches.iter().enumerate() {
            scope.spawn(move || {
                for round in 0..60 {
                    let number = (round * 7 + thread * 3) % 30;
                    let (key, output) = (key(&number.to_string()), output(number * 200));
                    cache.put(key, &output);
                    if let Some(found) = cache.get(key) {
                        assert_eq!(found, output);
                    }
                }
            });
        }
    });
    // Each keeps the bounds as far as it knows; the next to look through keeps them all.
    let last = Cache::new(&folder.0, bounds);
    last.put(key("last"), &output(10));
    let contents = last.contents();
    assert!(contents.entries <= 20 && contents.bytes <= 200_000, "{contents:?}");
}

#[test]
fn only_what_is_too_much_is_removed() {
    let folder = Folder::new("too-much");
    let bounds = Bounds { entries: 8, ..Bounds::default() };
    let cache = Cache::new(&folder.0, bounds);
    let keys: Vec<Key> = (0..9).map(|number| key(&format!("few {number}"))).collect();
    for (number, key) in keys.iter().enumerate() {
        assert_eq!(cache.contents().entries, number);
        cache.put(*key, &output(100));
    }
    // The ninth is one too many: three quarters of the bound stay, whatever they weigh.
    assert_eq!(cache.contents().entries, 6);

    let folder = Folder::new("too-heavy");
    let size = {
        let cache = Cache::new(&folder.0, Bounds::default());
        cache.put(key("one"), &output(9000));
        cache.contents().bytes
    };
    let bounds = Bounds { bytes: 16 * size, ..Bounds::default() };
    let cache = Cache::new(&folder.0, bounds);
    for number in 0..15 {
        cache.put(key(&format!("heavy {number}")), &output(9000));
    }
    assert_eq!(cache.contents().entries, 16);
    cache.put(key("one more"), &output(9000));
    assert_eq!(cache.contents().entries, 12);
    assert!(cache.contents().bytes <= 16 * size / 4 * 3);
}
