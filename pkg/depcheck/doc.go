// Package depcheck checks the map of the repository: its folders, and the imports that are allowed
// between them. Only its own test uses it.
//
// Shape: folders.go holds the map as three tables with reasons: the order of the folders in pkg, the Homes of heavy
// libraries, and the Denials of imports, even through other packages. Load gets the imports from the go command; every
// check takes that Graph and returns one line per fault, sorted, none when the map is right.
// Cost: one `go list -deps ./...`, a second or two; then a walk over the graph for each row.
// Errors: only Load fails, when the go command does. Packages that do not compile are listed as far as they can be read.
// Source: the folder map in CONTRIBUTING.md, which a test holds against these tables.
package depcheck
