// Package image makes the container images of KRM functions, and of waybill itself, without a
// container engine.
//
// Shape: one static binary per platform in, one OCI index out (Build). Each image has a single
// layer: a user database with only nobody, and the binary; that of the controller, which connects to
// servers, also has the certificates of authorities. SBOMs says what the index and the images are made of,
// as artifacts that refer to them. WriteLayout keeps any number of
// functions in one OCI layout directory, which ReadLayout reads; WriteTarball writes what podman load and
// docker load take. Compile makes the binaries with the go command, Discover finds the functions of a checkout.
// Same sources, same toolchain, same digest, wherever the checkout lies: there is no clock, no path
// and no environment in an image.
// Cost: memory for the binaries and their compressed layers, once each.
// Errors: one line that names the function, platform, file or reference at fault. Files appear
// whole or not at all; index.json of a layout is replaced last, so that a reader never finds a
// reference to a missing blob.
// Source: OCI Image Format v1.1 (config, image index, layout, annotations); kpt for
// what a kpt runtime requires of an image.
package image
