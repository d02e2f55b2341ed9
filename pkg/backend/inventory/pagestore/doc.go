// Package pagestore stores a backend's inventory in objects of an API server, where it outlives the process and only one
// process at a time can write it.
//
// Shape: a Store, which is an inventory.Store, over the BackendInventories of one namespace: one head, with the name of the
// inventory, and pages, "<name>.<number>", each with the records of 64 successive numbers. A save writes the pages that its
// change is about, mostly one. Where a change adds or removes records on several pages, the page that is written first has a
// journal of what belongs on the others; the next Load writes what they lack.
// The first Load, and each Load after an error, takes the inventory over: it writes a new epoch into the head and into every
// page. From then on the API server refuses every write of the previous owner, as each write is on condition of the
// resourceVersion. The head names a page before the page is created.
// Cost: a save is one write of about 30 KB; a takeover reads everything and writes each page once. All records are in memory.
// Errors: those of the API server; ErrLost after another process took the objects over or edited them. After any error of Save
// the next Load takes over again. Records that are invalid are an error, never left out.
// Source: Kubernetes documentation, API concepts: resource versions.
package pagestore
