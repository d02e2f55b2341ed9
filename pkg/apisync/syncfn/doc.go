// Package syncfn is the function `sync`: package apisync over the files of a package.
//
// Shape: Run compiles the PublishedResource, executes Rounds over the items until one is Idle, and adds the offer to kcp.
// The folder of a file, or the annotations SideAnnotation and apisync.ClusterAnnotation, say on which side an item is.
// Cost: a few Rounds. One run makes at most 10.
// Errors: Results of the Rounds. An origin that was moved off its side, or whose kind is misspelt, is an error, because
// its copy would be deleted. After an error nothing is written.
// Source: the documentation of the function, sync.md.
package syncfn
