package gitrepo

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// The errors of conversations with a repository are those of package transport.
type (
	// NotFoundError is that of package transport.
	NotFoundError = transport.NotFoundError
	// AuthError is that of package transport.
	AuthError = transport.AuthError
	// UnreachableError is that of package transport.
	UnreachableError = transport.UnreachableError
	// StaleError is that of package transport.
	StaleError = transport.StaleError
	// RejectedError is that of package transport.
	RejectedError = transport.RejectedError
)

// PackError is the error for refused objects of a server.
type PackError = pack.Error

// BoundsError is the error for a remote that exceeds a bound.
type BoundsError = pack.BoundsError

// GoneError is the error for the recorded commit of a package that the repository no longer has, because its
// history was rewritten or the refs to it were deleted.
type GoneError struct {
	URL    string
	Commit Hash
	Ref    string // where the commit was found at the time; may be empty
}

func (e *GoneError) Error() string {
	was := ""
	if e.Ref != "" {
		was = fmt.Sprintf(", which was %q when the package was taken", e.Ref)
	}
	return fmt.Sprintf("repository %q no longer has commit %s%s: its history was rewritten; "+
		"have the commit put back there, under any tag, or get the package again and redo the local changes", e.URL, e.Commit, was)
}

// RefNameError is the error for an invalid Name of a ref.
type RefNameError struct {
	Name   string
	Reason string
}

func (e *RefNameError) Error() string { return fmt.Sprintf("ref %q %s", e.Name, e.Reason) }

// RefError is the error for a Name without a commit in the repository.
type RefError struct {
	URL  string
	Name string
}

func (e *RefError) Error() string {
	said := fmt.Sprintf("repository %q has no branch, tag or commit %q", e.URL, e.Name)
	if isShortID(e.Name) {
		said += "; a commit is named by all 40 digits, unless it is the only one of a branch or tag that begins like that"
	}
	return said
}
