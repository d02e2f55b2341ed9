package httpclient

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Class says how to react to a failure.
type Class string

// The classes.
const (
	// ClassRetry may succeed later: no connection, a server error, something missing that may still be created.
	ClassRetry Class = "retry"
	// ClassConflict is a conflict with something that may be deleted.
	ClassConflict Class = "conflict"
	// ClassGone is something that existed and does not any more.
	ClassGone Class = "gone"
	// ClassPermanent stays wrong until a user changes something.
	ClassPermanent Class = "permanent"
	// ClassAuth means that the backend rejects the credentials. Nothing else is tried.
	ClassAuth Class = "auth"
)

// Failure is the failure of one operation.
type Failure struct {
	Class Class
	// Missing is true if a resource that the body refers to does not exist, yet.
	Missing bool
	// Status is the status code of the answer; 0 if there was none.
	Status int
	// Message is one line of at most about 300 bytes, without credentials.
	Message string

	retryAfter string // Retry-After
}

// Retryable reports whether trying again may help without a user changing anything.
func (f *Failure) Retryable() bool { return f.Class == ClassRetry || f.Class == ClassConflict }

// classify is the failure that an unsuccessful answer means where the table gives it no special meaning.
func (c *Client) classify(a answer) *Failure {
	if a.failure != nil {
		return a.failure
	}
	f := &Failure{Class: ClassPermanent, Status: a.status, retryAfter: a.retryAfter, Message: c.describe(a)}
	switch {
	case a.status == http.StatusUnauthorized:
		f.Class = ClassAuth
	case a.status >= 500, a.status == http.StatusTooManyRequests, a.status == http.StatusRequestTimeout:
		f.Class = ClassRetry
	case a.status == http.StatusConflict:
		f.Class = ClassConflict
	case a.status == http.StatusNotFound, a.status == http.StatusGone:
		f.Class = ClassGone
	}
	return f
}

// describe is one line about an answer. The end of a truncated one is left out: it might be part of a
// credential, which redact would not recognise.
func (c *Client) describe(a answer) string {
	text := fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	if a.redirect != "" {
		return text + ": " + a.redirect
	}
	said := c.redact(string(a.body))
	if a.truncated {
		said = said[:len(said)/2]
	}
	if said = strings.TrimSpace(said); said != "" {
		text += ": " + said
	}
	return safetext.SingleLine(text, table.MaxMessage)
}

func (a answer) ok() bool { return a.failure == nil && a.status/100 == 2 }

func (a answer) hasStatus(codes []int32) bool {
	return a.failure == nil && slices.Contains(codes, int32(a.status)) // #nosec G115 -- a status code
}

// RetryAfter is the wait that the answer's Retry-After header asks for; 0 if there is none, or none that is valid.
func (f *Failure) RetryAfter(now time.Time) time.Duration {
	if seconds, err := strconv.ParseInt(f.retryAfter, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	at, err := http.ParseTime(f.retryAfter)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
