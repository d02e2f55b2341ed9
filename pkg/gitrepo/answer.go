package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// mostPlaces are the places of one repository that credentials are asked for: a server may send us to another, and so
// may that.
const mostPlaces = 3

// getIn looks for credentials where the server wants some, each place once; with any there is hope. Otherwise wants
// tells what was tried.
func (r *remote) getIn(ctx context.Context, wants *AuthError) (hope bool) {
	place, moved := r.place()
	switch {
	case r.ssh != nil:
		wants.Why = "none of the keys there are opens it: add one that does to an SSH agent, or name its file in WAYBILL_SSH_KEY"
	case r.asked[place]:
		r.judge(ctx, false)
		wants.Why = r.note
	case r.hasLogin() && !moved:
		wants.Why = r.whichLogin()
	case moved && strings.HasPrefix(r.at, "https:") && !strings.HasPrefix(place, "https:"):
		wants.Why = fmt.Sprintf("the server sends us to %q, which wants a password in the clear: use a URL with https", place)
	case r.ask == nil && moved:
		wants.Why = fmt.Sprintf("the server sends us to %q, which wants credentials: use that URL, with those", place)
	case r.ask == nil || len(r.asked) == mostPlaces:
		wants.Why = "it wants credentials, and none were given"
	default:
		return r.askAt(ctx, place, moved, wants)
	}
	return false
}

// place is the URL of the repository that wants credentials: where we asked, or where the server sent us.
func (r *remote) place() (at string, moved bool) {
	if r.web == nil || r.web.refused == nil {
		return r.at, false
	}
	to := *r.web.refused
	from, err := url.Parse(r.at)
	path, isRefs := strings.CutSuffix(to.Path, "/info/refs")
	if err != nil || !isRefs || from.Scheme == to.Scheme && from.Host == to.Host {
		return r.at, false
	}
	return (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: path}).String(), true
}

// askAt asks for the credentials of one place, which are for no other.
func (r *remote) askAt(ctx context.Context, place string, moved bool, wants *AuthError) bool {
	r.asked[place] = true
	to := r.askedFor()
	if moved {
		to = place
	}
	answer, err := r.ask(ctx, to)
	r.note, r.verdict = answer.Note, nil
	switch {
	case err != nil:
		r.note = "credentials could not be asked for: " + gitcmd.OneLine(err.Error())
	case answer.Credentials != Credentials{}:
		r.verdict = answer.Verify
		return r.goTo(place, moved, answer.Credentials) == nil
	}
	wants.Why = r.note
	return false
}

// goTo has later conversations go to the place that credentials are for, and to no other first.
func (r *remote) goTo(place string, moved bool, c Credentials) error {
	if moved {
		ep, err := transport.NewEndpoint(place)
		if err != nil {
			return err
		}
		there := *r.endpoint
		there.ep, r.endpoint, r.at = ep, &there, place
	}
	r.auth = authMethod(c)
	return nil
}

// judge tells whoever gave credentials how they did, once.
func (r *remote) judge(ctx context.Context, good bool) {
	if r.verdict != nil {
		r.verdict(ctx, good)
	}
	r.verdict = nil
}

// letIn reports whether a conversation shows that the server let us in: it went well, or only what was asked for is not there.
func letIn(err error) bool {
	var none *RefError
	return err == nil || errors.As(err, &none)
}
