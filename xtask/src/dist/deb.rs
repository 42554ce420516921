//! The Debian package, made by `dpkg-deb`.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::staging::{Staging, run};
use super::{LICENSE, NAME, Product, SUMMARY};

/// Makes the package, and returns its file; `None` for a platform that is not Debian's.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<Option<PathBuf>, String> {
    let (Some(processor), Some(glibc)) = (product.platform.of_debian(), product.glibc) else {
        return Ok(None);
    };
    let Manifest { version, maintainer, homepage, .. } = &product.manifest;
    let file = made.join(format!("{NAME}_{version}_{processor}.deb"));
    let staging = Staging::new(made, "deb")?;
    staging.program(product, "usr/bin")?;
    staging.documents(product, &format!("usr/share/doc/{NAME}"))?;
    let man = product.run(&["man"])?;
    staging.text("usr/share/man/man1/tungsten.1", &man)?;
    let shells = [
        ("bash", "usr/share/bash-completion/completions/tungsten"),
        ("zsh", "usr/share/zsh/vendor-completions/_tungsten"),
        ("fish", "usr/share/fish/vendor_completions.d/tungsten.fish"),
    ];
    for (shell, path) in shells {
        staging.text(path, &product.run(&["completions", shell])?)?;
    }
    let homepage = homepage.as_ref().map_or(String::new(), |it| format!("Homepage: {it}\n"));
    staging.text(
        "DEBIAN/control",
        &format!(
            "Package: {NAME}\nVersion: {version}\nArchitecture: {processor}\nSection: devel\nPriority: optional\n\
             Maintainer: {maintainer}\n{homepage}\
             Depends: libc6 (>= 2.{glibc}), libgcc-s1\n\
             Recommends: libllvm19 | libllvm18 | libllvm17 | libllvm16 | libllvm15\n\
             Description: {SUMMARY}\n \
             Finds mistakes in shaders while they are typed, compiles TGSI to GCN with the\n \
             libLLVM of the system, and tells what each line costs. Licence: {LICENSE}.\n"
        ),
    )?;
    let (folder, to) = (staging.path().display().to_string(), file.display().to_string());
    let arguments = ["--root-owner-group", "--build", &folder, &to];
    run(Path::new("dpkg-deb"), &arguments, product.root)?;
    Ok(Some(file))
}
