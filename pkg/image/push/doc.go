// Package push sends the images of an OCI layout to a registry.
//
// Shape: a Pusher for one place; Plan asks the registry what it has of an index, and writes nothing; Do sends the rest: the images and
// their index by digest, what is attached to them, and last the tag. So a tag always names something whole.
// Cost: three requests for an index that the registry has already; blobs that it has are not sent again.
// Errors: one line that names the image; without credentials, also if a registry repeats them. Requests that fail for the moment (429 and
// 5xx, broken connections) are repeated, with waits of 15 seconds in all.
// Source: OCI Distribution Specification 1.1; go-containerregistry for how docker and podman keep credentials.
package push
