// Package inventory stores a backend's inventory in objects of an API server, where it outlives the process and
// is never written by two processes at once.
//
// Shape: a Store, which is a backend.Store, over BackendInventories of one namespace: one head, with the name
// of the inventory, and pages, "<name>.<number>", each with the records of 64 successive numbers. A save
// writes the pages that its change is about, mostly one. Where a change removes or adds records on more than
// one page, the page that is written first has a journal of what belongs on the others, and the next Load
// replays it if they lack that.
// The first Load, and each Load after an error, takes the inventory over: it writes a new epoch into the head
// and into every page. From then on every write of the previous owner is refused, since each write is on
// condition of the resourceVersion. A page is only created after the head names it.
// Cost: a save is one write of about 30 KB; taking over reads everything and writes each page once. All records
// are in memory once.
// Errors: those of the API server; ErrLost when another process has taken over or edited the objects. After any
// error of Save the next Load takes over again. Records that are invalid are an error, never left out.
// Source: Kubernetes documentation, API concepts: resource versions.
package inventory
