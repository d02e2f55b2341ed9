// Package local runs the controllers over files instead of an API server: Repositories,
// PackageVariants, Secrets and context objects come from YAML, and the caller gets a report on each variant.
//
// Shape: Read turns paths into an Input; Input.Repositories opens the Git repositories it names.
// Cost: one parse per file; a repository is opened once.
// Errors: name the file and line, or the object and field; all files are read before anything acts.
package local
