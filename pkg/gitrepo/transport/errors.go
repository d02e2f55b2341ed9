package transport

import (
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// NotFoundError is the error for a URL without a repository visible to the credentials.
type NotFoundError struct {
	URL string
	Err error
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("repository %q does not exist, or may not be seen", e.URL)
}
func (e *NotFoundError) Unwrap() error { return e.Err }

// AuthError is the error for missing, wrong or insufficient credentials.
type AuthError struct {
	URL    string
	Denied bool   // the credentials are valid but do not allow this
	Why    string // the attempts and the advice, without secrets; may be empty
	Err    error
}

func (e *AuthError) Error() string {
	if e.Denied {
		return fmt.Sprintf("repository %q: access denied with these credentials", e.URL)
	}
	if e.Why == "" {
		return fmt.Sprintf("repository %q: authentication failed", e.URL)
	}
	return fmt.Sprintf("repository %q: authentication failed: %s", e.URL, e.Why)
}
func (e *AuthError) Unwrap() error { return e.Err }

// UnreachableError is the error for a failed conversation with the server. Sent means that a push was running:
// only a Refresh shows whether it took effect.
type UnreachableError struct {
	URL  string
	Sent bool
	Err  error
}

func (e *UnreachableError) Error() string {
	if e.Sent {
		return fmt.Sprintf("repository %q: connection lost during a push, which may have happened or not: %s", e.URL,
			gitcmd.OneLine(e.Err.Error()))
	}
	return fmt.Sprintf("repository %q cannot be reached: %s", e.URL, gitcmd.OneLine(e.Err.Error()))
}
func (e *UnreachableError) Unwrap() error { return e.Err }

// StaleError is the error for a Ref moved by another client: the push expected Want and found Have. Nothing was
// pushed. Refresh and compute again.
type StaleError struct {
	URL  string
	Ref  string
	Want plumbing.Hash // zero: the push expected no such ref
	Have plumbing.Hash // zero: the ref does not exist
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("repository %q: another client moved %s: expected %s, found %s", e.URL, e.Ref, refValue(e.Want), refValue(e.Have))
}

func refValue(h plumbing.Hash) string {
	if h.IsZero() {
		return "no such ref"
	}
	return h.String()
}

// RejectedError is the error for a push declined by the server although no other client moved the refs, because
// of a hook, a protected branch or a full disk. Nothing was pushed.
type RejectedError struct {
	URL     string
	Ref     string // the first declined ref; empty if the pack was declined
	Status  string // the server's reason, as the protocol reports it
	Message string // other output of the server, on one line
}

func (e *RejectedError) Error() string {
	s := fmt.Sprintf("repository %q rejected the push", e.URL)
	if e.Ref != "" {
		s += " of " + e.Ref
	}
	s += ": " + e.Status
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// transient lists messages of servers after which the same push may soon succeed.
var transient = []string{
	"failed to update ref", "pre-receive hook declined", "stale file handle", "failed to lock", "cannot lock ref",
	"unable to migrate objects to permanent storage", "broken pipe", "atomic transaction failed", "reference already exists",
}

// Transient reports whether a second try of the same push may succeed.
func (e *RejectedError) Transient() bool {
	text := strings.ToLower(e.Status + "\n" + e.Message)
	for _, t := range transient {
		if strings.Contains(text, t) {
			return true
		}
	}
	return false
}
