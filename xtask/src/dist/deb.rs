//! The Debian package, made by `dpkg-deb`.

use std::path::{Path, PathBuf};

use super::staging::{Staging, run};
use super::{LICENSE, NAME, Product, SUMMARY};

/// Makes the package, and returns its file.
pub(crate) fn make(product: &Product<'_>, made: &Path) -> Result<PathBuf, String> {
    let file = made.join(format!("{NAME}_{}_amd64.deb", product.version));
    let staging = Staging::new(made, "deb")?;
    staging.program(product, "usr/bin/tungsten")?;
    staging.documents(product, &format!("usr/share/doc/{NAME}"))?;
    let man = run(&product.program, &["man"], product.root)?;
    staging.text("usr/share/man/man1/tungsten.1", &man)?;
    let shells = [
        ("bash", "usr/share/bash-completion/completions/tungsten"),
        ("zsh", "usr/share/zsh/vendor-completions/_tungsten"),
        ("fish", "usr/share/fish/vendor_completions.d/tungsten.fish"),
    ];
    for (shell, path) in shells {
        staging.text(path, &run(&product.program, &["completions", shell], product.root)?)?;
    }
    let (glibc, maintainer) = (product.glibc, &product.address.maintainer);
    let homepage = product.address.homepage.as_ref();
    let homepage = homepage.map_or(String::new(), |it| format!("Homepage: {it}\n"));
    staging.text(
        "DEBIAN/control",
        &format!(
            "Package: {NAME}\nVersion: {}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
             Maintainer: {maintainer}\n{homepage}\
             Depends: libc6 (>= 2.{glibc}), libgcc-s1\n\
             Recommends: libllvm19 | libllvm18 | libllvm17 | libllvm16 | libllvm15\n\
             Description: {SUMMARY}\n \
             Finds mistakes in shaders while they are typed, compiles TGSI to GCN with the\n \
             libLLVM of the system, and tells what each line costs. Licence: {LICENSE}.\n",
            product.version
        ),
    )?;
    let (folder, to) = (staging.path().display().to_string(), file.display().to_string());
    let arguments = ["--root-owner-group", "--build", &folder, &to];
    run(Path::new("dpkg-deb"), &arguments, product.root)?;
    Ok(file)
}
