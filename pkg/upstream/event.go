package upstream

import kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

// Did is something that is being done, or was.
type Did string

// What is told of.
const (
	Fetching       Did = "fetching"        // what upstream has now
	FetchingOrigin Did = "fetching origin" // what upstream had then
	Adding         Did = "adding"          // what was fetched
	Updating       Did = "updating"        // by Strategy
)

// Event tells of the work on one package.
type Event struct {
	Package  string // its folder, "." for the root
	Did      Did
	From     kptfilev1.Git
	Strategy string
}
