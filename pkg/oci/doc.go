// Package oci pulls and pushes artifacts of registries: packages, rendered fleets, and what else is tar and gzip, or a blob.
//
// Shape: a Reference names an artifact; a Client lists Tags, Resolves one to a digest, Pulls an Artifact and Pushes one. PackTree and
// UnpackTree are a package as a layer: the same tree gives the same bytes.
// Cost: two requests to pull what is small; one to push what is there already. An artifact is in memory, within Limits.
// Errors: one line that names the artifact; without credentials. ErrNotFound if the registry does not have it. What has another digest
// or size than promised, and tar files with links, devices, escapes or duplicates, are refused.
// Source: OCI Image and Distribution Specifications 1.1; Flux's OCI artifacts, Porch's pkg/oci.
package oci
