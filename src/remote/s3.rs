//! Object stores that speak S3.

use std::collections::BTreeSet;
use std::fs::File;
use std::future::Future;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, SystemTime};

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, ClientOptions, Error, GetOptions, GetRange, ObjectStore, ObjectStoreExt,
    PutPayload, RetryConfig, WriteMultipart,
};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;

use super::{Entry, Listing, RemoteError, split};
use crate::digest::hexadecimal;
use crate::parallel::locked;

type Result<T> = std::result::Result<T, RemoteError>;

/// Larger objects are sent in parts of so many bytes. All objects are read in pieces of so many.
const PART: usize = 8 << 20;
/// How many parts are on their way at a time.
const PARTS_AT_A_TIME: usize = 4;
/// For how long a request that fails is repeated, after pauses that grow.
const PATIENCE: Duration = Duration::from_secs(180);
const PAUSES: BackoffConfig = BackoffConfig {
    init_backoff: Duration::from_millis(200),
    max_backoff: Duration::from_secs(20),
    base: 4.0,
};
/// How often an answer that breaks off is asked for.
const ANSWERS: u32 = 4;
/// How often an upload is begun; its single requests are repeated besides.
const UPLOADS: u32 = 3;
/// How long one request may take, its body included.
const REQUEST: Duration = Duration::from_secs(120);

/// A location in a bucket.
#[derive(Debug)]
pub(crate) struct Remote {
    store: AmazonS3,
    place: PathBuf,
    key: String,
}

/// The buckets that this process has used.
fn known_buckets() -> MutexGuard<'static, BTreeSet<String>> {
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    locked(&KNOWN)
}

/// The runtime on which all requests of this process run.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).thread_name("object store").enable_all();
        builder.build().expect("the system gives threads")
    })
}

impl Remote {
    /// Opens a location, in the store and with the credentials that the environment names.
    ///
    /// # Errors
    /// When it is no location, or the environment makes no sense.
    pub(crate) fn open(place: &Path) -> Result<Self> {
        let (bucket, key) = split(place)?;
        let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
        let endpoint = endpoint.iter().find_map(|name| std::env::var(name).ok());
        // Unencrypted only where the environment says so.
        let is_plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
        let options = ClientOptions::new().with_timeout(REQUEST).with_allow_http(is_plain);
        let is_first = known_buckets().insert(bucket.clone());
        let builder =
            AmazonS3Builder::from_env().with_client_options(options).with_bucket_name(bucket);
        let opened = |retry: RetryConfig| {
            let store = builder.clone().with_retry(retry).build();
            let store = store.map_err(|error| failed("open", place, &error))?;
            Ok(Self { store, place: place.to_owned(), key: key.clone() })
        };
        // The first use of a store is a trial with the library's own patience; later requests are repeated for longer.
        if is_first {
            opened(RetryConfig::default())?.has("")?;
        }
        opened(RetryConfig { backoff: PAUSES, max_retries: 12, retry_timeout: PATIENCE })
    }

    fn key(&self, name: &str) -> Key {
        Key::from(format!("{}/{name}", self.key))
    }

    fn wait<T>(
        &self,
        what: &'static str,
        name: &str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T> {
        runtime().block_on(request).map_err(|error| failed(what, &self.place.join(name), &error))
    }

    /// Waits for a request for something that may be missing; none where it is.
    fn look<T>(
        &self,
        what: &'static str,
        name: &str,
        request: impl Future<Output = object_store::Result<T>>,
    ) -> Result<Option<T>> {
        match runtime().block_on(request) {
            Ok(found) => Ok(Some(found)),
            // A missing bucket is an error, unlike a missing object.
            Err(Error::NotFound { source, .. }) if !source.to_string().contains("NoSuchBucket") => {
                Ok(None)
            }
            Err(error) => Err(failed(what, &self.place.join(name), &error)),
        }
    }

    /// Whether an object is there.
    pub(crate) fn has(&self, name: &str) -> Result<bool> {
        let key = self.key(name);
        again(|| Ok(self.look("read", name, self.store.head(&key))?.is_some()))
    }

    /// The bytes of an object; none where it is missing.
    pub(crate) fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        Ok(self.read(name, &mut bytes)?.then_some(bytes))
    }

    /// Copies an object to a file of this machine, if it is there.
    pub(crate) fn fetch(&self, name: &str, to: &Path) -> Result<bool> {
        let scratch = |source| RemoteError::Scratch { path: to.to_owned(), source };
        let mut file = File::create(to).map_err(scratch)?;
        let is_there = self.read(name, &mut file)?;
        if !is_there {
            std::fs::remove_file(to).map_err(scratch)?;
        }
        Ok(is_there)
    }

    /// SHA-256 of an object, in hexadecimal; none where it is missing.
    pub(crate) fn hash(&self, name: &str) -> Result<Option<String>> {
        let mut hash = Sha256::new();
        Ok(self.read(name, &mut hash)?.then(|| hexadecimal(hash)))
    }

    /// Reads an object piece by piece. All pieces are of the same object: if it is replaced meanwhile, reading fails.
    fn read(&self, name: &str, to: &mut dyn Write) -> Result<bool> {
        let key = self.key(name);
        let meta = again(|| self.look("read", name, self.store.head(&key)))?;
        let Some(meta) = meta else { return Ok(false) };
        let mut at = 0;
        while at < meta.size {
            let end = meta.size.min(at + PART as u64);
            let options = GetOptions {
                if_match: meta.e_tag.clone(),
                range: Some(GetRange::Bounded(at..end)),
                ..GetOptions::default()
            };
            let piece = async { self.store.get_opts(&key, options).await?.bytes().await };
            let piece = self.wait("read", name, piece)?;
            let written = to.write_all(&piece);
            written
                .map_err(|source| RemoteError::Scratch { path: std::env::temp_dir(), source })?;
            at = end;
        }
        Ok(true)
    }

    /// Writes an object, replacing whatever has this name.
    pub(crate) fn put(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        let key = self.key(name);
        let payload = PutPayload::from(bytes);
        again(|| self.wait("write", name, self.store.put(&key, payload.clone())).map(drop))
    }

    /// Uploads a file. The object has its name once the last byte is there.
    pub(crate) fn upload(&self, name: &str, from: &Path) -> Result<()> {
        let mut left = UPLOADS;
        loop {
            left -= 1;
            match self.sent(name, from) {
                Err(RemoteError::Failed { .. }) if self.is(name, from)? => return Ok(()),
                Err(RemoteError::Failed { .. }) if left > 0 => {}
                sent => return sent,
            }
        }
    }

    /// Whether an object has the bytes of a file. Where the answer to the completion of an upload is lost, the upload
    /// is complete, though asking again says that there is none.
    fn is(&self, name: &str, from: &Path) -> Result<bool> {
        let scratch = |source| RemoteError::Scratch { path: from.to_owned(), source };
        let mut hash = Sha256::new();
        let mut file = File::open(from).map_err(scratch)?;
        std::io::copy(&mut file, &mut hash).map_err(scratch)?;
        Ok(self.hash(name)? == Some(hexadecimal(hash)))
    }

    fn sent(&self, name: &str, from: &Path) -> Result<()> {
        let scratch = |source| RemoteError::Scratch { path: from.to_owned(), source };
        let mut file = File::open(from).map_err(scratch)?;
        if file.metadata().map_err(scratch)?.len() <= PART as u64 {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(scratch)?;
            return self.put(name, bytes);
        }
        let key = self.key(name);
        let upload = self.wait("write", name, self.store.put_multipart(&key))?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, PART);
        let mut piece = vec![0; PART];
        loop {
            let read = match file.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(source) => {
                    // The parts sent so far belong to no object.
                    let _ = runtime().block_on(parts.abort());
                    return Err(scratch(source));
                }
            };
            let written = runtime().block_on(async {
                parts.wait_for_capacity(PARTS_AT_A_TIME).await?;
                parts.write(&piece[..read]);
                Ok(())
            });
            if let Err(error) = written {
                let _ = runtime().block_on(parts.abort());
                return Err(failed("write", &self.place.join(name), &error));
            }
        }
        // It aborts the upload itself where that fails.
        self.wait("write", name, parts.finish()).map(drop)
    }

    /// Copies an object to another name within the store; returns whether it was there.
    pub(crate) fn copy(&self, from: &str, to: &str) -> Result<bool> {
        let (source, target) = (self.key(from), self.key(to));
        again(|| Ok(self.look("write", to, self.store.copy(&source, &target))?.is_some()))
    }

    /// Removes an object, if it is there.
    pub(crate) fn delete(&self, name: &str) -> Result<()> {
        let key = self.key(name);
        again(|| self.look("remove", name, self.store.delete(&key)).map(drop))
    }

    /// Lists what is right below the location.
    pub(crate) fn list(&self) -> Result<Listing> {
        let key = Key::from(self.key.as_str());
        let found = again(|| self.wait("list", "", self.store.list_with_delimiter(Some(&key))))?;
        let name = |key: &Key| key.filename().map(str::to_owned);
        let now = SystemTime::now();
        let files = found.objects.iter().filter_map(|object| {
            let since = now.duration_since(SystemTime::from(object.last_modified));
            Some(Entry {
                name: name(&object.location)?,
                age: since.map_or(0, |since| since.as_secs()),
            })
        });
        Ok(Listing {
            files: files.collect(),
            folders: found.common_prefixes.iter().filter_map(name).collect(),
        })
    }
}

/// Repeats a request that failed: an answer that breaks off is left to the library's callers. Every request may be
/// repeated.
fn again<T>(mut ask: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 1..ANSWERS {
        match ask() {
            Err(RemoteError::Failed { .. }) => std::thread::sleep(PAUSES.init_backoff),
            answered => return answered,
        }
    }
    ask()
}

/// The error with its causes, as far as a person can use them.
fn failed(what: &'static str, path: &Path, error: &Error) -> RemoteError {
    let mut why = match error {
        Error::Generic { source, .. }
        | Error::NotFound { source, .. }
        | Error::PermissionDenied { source, .. }
        | Error::Unauthenticated { source, .. } => source.to_string(),
        other => other.to_string(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(of) = cause {
        let told = of.to_string();
        if !why.contains(&told) {
            why = format!("{why}: {told}");
        }
        cause = of.source();
    }
    RemoteError::Failed { what, path: path.to_owned(), why }
}
