package reconciler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// mostRefusals is after how many refusals in the same words, and none of its drafts taken, a repository
// counts as closed: nobody wants to wait for a thousand more.
const mostRefusals = 32

// refusals are what a server said of drafts that were pushed by themselves.
type refusals struct {
	words string
	count int
	taken bool // a draft was
}

// note reports whether err is a server's refusal, and remembers its words.
func (r *refusals) note(err error) bool {
	var rejected *gitrepo.RejectedError
	if !errors.As(err, &rejected) {
		return false
	}
	words := strings.TrimSuffix(strings.ReplaceAll(rejected.Status+": "+rejected.Message, rejected.Ref, "it"), ": ")
	if words != r.words {
		r.words, r.count = words, 0
	}
	r.count++
	return true
}

// closed is what to say of drafts that are not tried any more, nil while they are.
func (r *refusals) closed() error {
	if r.taken || r.count < mostRefusals {
		return nil
	}
	return &closedError{r.words}
}

// closedError says that a repository takes no draft at all.
type closedError struct{ words string }

func (e *closedError) Error() string {
	return fmt.Sprintf("create draft: not tried, as the repository refused %d others in the same words: %s", mostRefusals, e.words)
}
