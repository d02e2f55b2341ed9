// Package follow keeps somebody current with the objects of one resource of an API server.
//
// Shape: New(server, resource, listener, options).Run(ctx) lists, watches, and lists again when a watch
// breaks. Unlike an informer it keeps no objects but their names, knows a resource that is not served from
// one that cannot be read now, and says so; and its lists are answered by the store of the API server, not
// by a cache that may be behind.
// Cost: a watch; a list in pages of 500 objects after each break.
// Errors: told to the listener, and logged once while they stay the same; what failed is tried again after
// growing pauses.
// Source: Kubernetes documentation, API concepts, "Efficient detection of changes".
package follow
