//! Translates shaders for hosts: `translate HOST[,HOST…] FILE…`. For trying things out.

use vrend::{Configuration, Enclosed, Host, Translator};

fn main() {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.peek().is_some_and(|it| it == vrend::COMMAND) {
        Enclosed::of_arguments(arguments.skip(1)).expect("what to become").run();
    }
    let hosts = arguments.next().expect("hosts").into_string().expect("a name");
    let hosts: Vec<Host> = hosts.split(',').map(|it| it.parse().expect("a host")).collect();
    let executable = std::env::current_exe().expect("our own path");
    let server = vrend::choose(None).expect("virgl_test_server");
    let mut translator = Translator::new(Configuration { executable, server });
    for path in arguments {
        let text = std::fs::read_to_string(&path).expect("a file");
        for host in &hosts {
            let begun = std::time::Instant::now();
            match translator.translate(&text, host) {
                Ok(translation) => {
                    println!("== {host} {}: {:?}", path.display(), translation.verdict);
                    println!("{}", translation.glsl.unwrap_or_default());
                }
                Err(error) => println!("== {host} {}: {error}", path.display()),
            }
            println!("{:?}", begun.elapsed());
        }
    }
}
