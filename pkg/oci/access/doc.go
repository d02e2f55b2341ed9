// Package access is how Waybill's requests reach registries: with which credentials, how often, and which are refused.
//
// Shape: an Access for one user; Remote gives its options to go-containerregistry, Redact takes credentials out of errors.
// Cost: no request of its own.
// Errors: without credentials, also if a registry repeats them. Requests that fail for the moment (429 and 5xx, broken connections) are
// repeated, with waits of 15 seconds in all. An answer that is no blob ends after 8 MiB,
// one that stops in the middle after a minute, and a redirect after ten others.
// Source: go-containerregistry for how docker and podman keep credentials.
package access
