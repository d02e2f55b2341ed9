// Package inventory records which resources were applied to a backend.
//
// Shape: an Inventory holds records by number. A Store keeps it and takes one Change at a time: in memory, in a file with a
// journal beside it, or in objects of an API server (package pagestore).
// Cost: Save of a FileStore writes and syncs one line; Close writes the whole file.
// Errors: one line, with the path. An inventory that is not valid is an error: nothing is deleted because of it.
package inventory
