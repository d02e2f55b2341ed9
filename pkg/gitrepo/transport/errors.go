package transport

import (
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// NotFoundError says that there is no repository at URL, or none that the credentials may see.
type NotFoundError struct {
	URL string
	Err error
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("repository %q does not exist, or may not be seen", e.URL)
}
func (e *NotFoundError) Unwrap() error { return e.Err }

// AuthError says that the server wants other credentials, or grants these too little.
type AuthError struct {
	URL    string
	Denied bool   // the credentials are good, but do not allow this
	Why    string // what was tried, and what can be done, without secrets; may be empty
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

// UnreachableError says that the conversation with the server failed. Sent means that a push was
// under way: whether it took effect shows only after a Refresh.
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

// StaleError says that another client moved Ref: a push expected it at Want, and it is at
// Have. Nothing was pushed. Refresh and compute again.
type StaleError struct {
	URL  string
	Ref  string
	Want plumbing.Hash // zero: the ref was not to exist
	Have plumbing.Hash // zero: the ref does not exist
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("repository %q: %s was moved by someone else: expected %s, found %s", e.URL, e.Ref, refValue(e.Want), refValue(e.Have))
}

func refValue(h plumbing.Hash) string {
	if h.IsZero() {
		return "no such ref"
	}
	return h.String()
}

// RejectedError says that the server declined a push although no other client moved the refs: a hook, a
// protected branch, a full disk. Nothing was pushed.
type RejectedError struct {
	URL     string
	Ref     string // the first ref that was declined; empty when the pack itself was
	Status  string // the server's reason, as the protocol reports it
	Message string // what else the server printed, on one line
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

// transient lists what servers print when the same push may succeed a moment later.
var transient = []string{
	"failed to update ref", "pre-receive hook declined", "stale file handle", "failed to lock", "cannot lock ref",
	"unable to migrate objects to permanent storage", "broken pipe", "atomic transaction failed", "reference already exists",
}

// Transient reports whether the same push may succeed when it is tried again.
func (e *RejectedError) Transient() bool {
	text := strings.ToLower(e.Status + "\n" + e.Message)
	for _, t := range transient {
		if strings.Contains(text, t) {
			return true
		}
	}
	return false
}
