// Package midonet says what Nodes, Pods, Services and Endpoints are to a MidoNet backend.
//
// Shape: a Converter, made of Options, is a set of pure functions: one object in, and the other
// object that it refers to; an Outcome out. That is a list of Translations with their names and
// resources, or the reason why there are none, why to keep what there is and try again, or what is
// wrong with the object. Global gives the resources that no object stands for. CheckUpdate holds
// an old list of resources against a new one. What becomes of an Outcome - labels, owners, what is
// swept - is for who calls.
// Cost: one look at the fields that matter, and about ten SHA-1 sums and four small JSON texts for
// each address of Endpoints, which are most of the work there is.
// Errors: a field.ErrorList in the Outcome, each fault at its path in the object. Objects may hold
// anything; a value of a type that no API server would take is a fault, whether it matters or not.
// Source: midonet-kubernetes, translation version 4, without what is a fault there: input that ends
// the process, and Endpoints of which each got the resources of the last.
package midonet
