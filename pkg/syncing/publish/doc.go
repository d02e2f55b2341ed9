// Package publish makes of a CustomResourceDefinition what consumers see of it, as a PublishedResource says: other
// versions, names and scope; and of that the schemas and the export under which kcp offers a type.
//
// Shape: Project gives the projected definition; Types what objects are called on both sides; Schema the
// APIResourceSchema of a projected definition, whose name has a hash of it; Export an APIExport that offers schemas and
// claims what goes along with them. All are pure, objects in and objects out, and change nothing that they are given.
// What is made comes with its fields in one order and without comments, however the definition is written. An export
// keeps the text of what was there, and is the very object that came in when nothing is to be added.
//
//	projected, err := publish.Project(crd, pr)
//	schema, err := publish.Schema(projected, pr)
//	export, err = publish.Export(export, publish.Offer{Resource: pr, Schema: schema})
//
// Cost: linear in the definition, which has at most 100 versions, and in the export.
// Errors: what is wrong with an object is told all at once, with the object's name and the fields' paths. A
// PublishedResource is one that Validate lets pass.
// Source: the API of kcp, group apis.kcp.io in version v1alpha1, and the order of steps of its API syncer.
package publish
