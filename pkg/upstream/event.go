package upstream

import kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

// Action is a step of getting or updating a package.
type Action string

// The actions.
const (
	Fetching       Action = "fetching"        // upstream now
	FetchingOrigin Action = "fetching origin" // upstream when the package was fetched
	Adding         Action = "adding"          // the fetched files
	Updating       Action = "updating"        // the package, by Strategy
)

// Event is an action on one package.
type Event struct {
	Package  string // its folder, "." for the root
	Action   Action
	From     kptfilev1.Git
	Strategy string
}
