// Package depcheck keeps the map of the repository true: which folders there are, and who may import
// whom. Only its own test uses it; nothing that ships does.
//
// Shape: folders.go holds the map as three tables that say why: the order of the folders in pkg, the
// Homes of heavy libraries, and the Denials of what must not be reached even through others. Load
// asks the go command for the imports; every check takes that Graph and answers with one line per
// fault, sorted, none when the map holds.
// Cost: one `go list -deps ./...`, a second or two; then a walk over the graph for each row.
// Errors: only Load fails, when the go command does. Packages that do not compile yet are listed
// as far as they can be read: whether they build is for others to say.
// Source: the folder map in CONTRIBUTING.md, which a test holds against these tables.
package depcheck
