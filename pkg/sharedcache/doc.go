// Package sharedcache keeps what rendering computes where many machines can read it: at an HTTP server, in a bucket of an
// S3-compatible store, or in an OCI registry.
//
// Shape: Open makes a Cache of a URL. Get asks the store and returns data only if the entry proves that it was written under
// that key; Put stores in the background if writing is allowed, and Close waits for that, within bounds. An entry is the magic,
// a digest of the key and of the compressed data, and a signature if the Cache has a key pair. A Cache is a memo.Shared.
// Cost: one request for each Get (two for a large entry in a registry); one for each Put (six in a registry), up to eight at a time.
// Bodies, decompressed data and waiting writes are bounded.
// Trust: a digest detects damage and entries of other keys, and proves nothing about the writer: all who may write to the store decide
// what readers get. With a key pair a reader accepts only entries that the holder of the private key signed.
// Credentials come from the environment or from files, and are in no URL, error or log. Redirects are not followed, except
// by registries.
// Errors: Open fails for a bad URL or key. After that nothing fails: what a store cannot do counts as missing. The first error of
// reading and the first of writing are reported, and the Cache does not ask the store again for five minutes. A bad entry is
// reported once, too, and counts as missing.
// Source: RFC 9110; Amazon S3 API, GetObject and PutObject; OCI distribution specification 1.1.
package sharedcache
