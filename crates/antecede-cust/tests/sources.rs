//! What can be checked of kernels and linking with no GPU.

use std::fs;
use std::path::{Path, PathBuf};

use antecede::driver::ErrorKind;
use antecede_cust::Cuda;
use sha2::{Digest, Sha256};

/// The files of `kernels/` with this extension, without it.
fn kernels(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let files = fs::read_dir(folder).expect("kernels/ is there").map(|file| file.expect("a name").path());
    let mut stems: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == extension)).map(|p| p.with_extension("")).collect();
    stems.sort();
    stems
}

#[test]
fn the_ptx_was_made_from_the_source_beside_it() {
    let sources = kernels("cu");
    assert!(!sources.is_empty());
    assert_eq!(sources, kernels("ptx"));
    for kernel in sources {
        let source = fs::read(kernel.with_extension("cu")).expect("the source");
        let hash: String = Sha256::digest(source).iter().map(|byte| format!("{byte:02x}")).collect();
        let ptx = fs::read_to_string(kernel.with_extension("ptx")).expect("the PTX");
        assert_eq!(
            ptx.lines().next(),
            Some(&*format!("// source sha256: {hash}")),
            "{}: run scripts/make-ptx.sh",
            kernel.display()
        );
    }
}

#[test]
fn there_is_a_driver_exactly_where_cuda_initialises() {
    let initialised = cust::init(cust::CudaFlags::empty());
    match (initialised, Cuda::new()) {
        (Ok(()), Ok(_)) => {}
        (Err(_), Err(error)) => {
            assert_eq!((error.kind, error.call), (ErrorKind::NoDevice, "cuInit"), "{error}");
            assert!(error.message.starts_with("CUDA_ERROR_"), "{error}");
            assert_eq!(Cuda::new().map(drop), Err(error), "a second try says the same");
        }
        (initialised, driver) => panic!("`cuInit`: {initialised:?}, but {driver:?}"),
    }
}
