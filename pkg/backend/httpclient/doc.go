// Package httpclient creates, replaces and deletes the resources of a backend over HTTP.
//
// Shape: a Client for one Table and one address. An operation is one call, more where the backend has the resource
// already.
// Cost: at most 1 MiB of each answer is read; a request has a time limit.
// Errors: a Failure with its Class, which says whether to try again. Messages have one line, and no credentials: these
// are replaced in whatever way JSON, URLs or HTML spell them.
package httpclient
