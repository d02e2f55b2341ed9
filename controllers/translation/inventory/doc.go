// Package inventory keeps a backend's inventory in objects of an API server, where it outlives whoever
// works and is never written by two at once.
//
// Shape: a Store, which is a backend.Store, over BackendInventories of one namespace: one head, by the name
// of the inventory, and pages, "<name>.<number>", each with the records of 64 successive numbers. A save
// writes the pages that its change is about, as a rule one. Where a change takes something away or adds
// something on more than one page, the page that is written first says what belongs on the others, and
// whoever loads makes good what is missing there.
// Whoever loads for the first time, or after an error, takes the inventory over: it writes a new epoch into
// the head and into every page. From then on every write of who had it before is refused, since each write
// is on condition that nobody else wrote. A page is only added after the head was written.
// Cost: a save is one write of about 30 KB; taking over reads everything and writes each page once. In
// memory all records once.
// Errors: what the API server says; ErrLost when somebody else has taken over or edited the objects. After
// any error of Save the next Load takes over anew. Records that cannot be are an error, never left out.
// Source: Kubernetes documentation, API concepts: resource versions.
package inventory
