// Package spdx says what images are made of, as SPDX documents (SBOMs).
//
// Shape: images, and what the go command recorded in their programs (debug/buildinfo), in; the JSON of one document out. A document
// describes one image of one platform, or an index with the images of several.
// Cost: some 200 bytes for each module.
// Errors: those of encoding JSON. What a program does not record is left out.
// Source: SPDX 2.3; package-url, types golang and oci; the convention of vulnerability scanners that Go's own packages are "stdlib".
package spdx
