// Package midonet converts Nodes, Pods, Services and Endpoints to the resources of a MidoNet backend.
//
// Shape: a Converter, made of Options, is a set of pure functions: an object, and the object that it refers to, in; an
// Outcome out. That is a list of Translations with their names and resources, or why there are none, or why the existing ones
// stay until a retry, or what is wrong with the object. Global gives the resources that belong to no object. CheckUpdate
// compares an old list of resources with a new one. Labels, owners and deletions are up to the caller.
// Cost: one pass over the fields that matter, and about ten SHA-1 sums and four small JSON texts for each address of
// Endpoints, which is most of the work.
// Errors: a field.ErrorList in the Outcome, each fault at its path in the object. Objects may have any content; a value of a
// type that no API server accepts is a fault, even where it makes no difference.
// Source: midonet-kubernetes, translation version 4, without its faults: input that ends the process, and Endpoints that each
// got the resources of the last one.
package midonet
