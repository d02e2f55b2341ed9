// Package publish projects a CustomResourceDefinition to what consumers see, as a PublishedResource says: other versions,
// names and scope; and makes the schemas and the export through which kcp offers the type.
//
// Shape: Project gives the projected definition; Types the types on both sides; Schema the APIResourceSchema of a projected
// definition, whose name contains a digest of it; Export an APIExport that offers schemas and claims related objects. All are
// pure and change no argument. Results have their fields in a fixed order and no comments, however the definition is
// written. An export keeps its existing text, and is the identical object when nothing is added.
//
//	projected, err := publish.Project(crd, pr)
//	schema, err := publish.Schema(projected, pr)
//	export, err = publish.Export(export, publish.Offer{Resource: pr, Schema: schema})
//
// Cost: linear in the definition, which has at most 100 versions, and in the export.
// Errors: all faults of an object together, with the object's name and the fields' paths. A PublishedResource must have
// passed Validate.
// Source: the API of kcp, group apis.kcp.io in version v1alpha1, and the order of steps and the digests of its API syncer.
package publish
