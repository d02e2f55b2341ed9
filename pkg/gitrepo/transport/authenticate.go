package transport

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// maxLocations bounds the URLs of one repository that credentials are asked for: a server may redirect to another, and that
// one again.
const maxLocations = 3

// authenticate looks for credentials where the server wants some, once for each location, and reports whether there are any
// to try. Otherwise it writes into refused what was tried.
func (r *Remote) authenticate(ctx context.Context, refused *AuthError) (found bool) {
	location, redirected := r.refusedLocation()
	switch {
	case r.ssh != nil:
		refused.Why = "none of the keys there are opens it: add one that does to an SSH agent, or name its file in WAYBILL_SSH_KEY"
	case r.asked[location]:
		r.verified(ctx, false)
		refused.Why = r.note
	case r.hasLogin() && !redirected:
		refused.Why = r.whichLogin()
	case redirected && strings.HasPrefix(r.location, "https:") && !strings.HasPrefix(location, "https:"):
		refused.Why = fmt.Sprintf("the server redirects to %q, which wants a password without encryption: use a URL with https", location)
	case r.ask == nil && redirected:
		refused.Why = fmt.Sprintf("the server redirects to %q, which wants credentials: use that URL with credentials", location)
	case r.ask == nil || len(r.asked) == maxLocations:
		refused.Why = "it wants credentials, and none were given"
	default:
		return r.askFor(ctx, location, redirected, refused)
	}
	return false
}

// refusedLocation is the URL of the repository that wants credentials: the one that was asked, or the one that the server
// redirected to.
func (r *Remote) refusedLocation() (location string, redirected bool) {
	if r.http == nil || r.http.refused == nil {
		return r.location, false
	}
	to := *r.http.refused
	from, err := url.Parse(r.location)
	path, isRefs := strings.CutSuffix(to.Path, "/info/refs")
	if err != nil || !isRefs || from.Scheme == to.Scheme && from.Host == to.Host {
		return r.location, false
	}
	return (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: path}).String(), true
}

// askFor asks for the credentials of one location. They are sent to no other.
func (r *Remote) askFor(ctx context.Context, location string, redirected bool, refused *AuthError) bool {
	r.asked[location] = true
	to := r.askedFor()
	if redirected {
		to = location
	}
	answer, err := r.ask(ctx, to)
	r.note, r.verify = answer.Note, nil
	switch {
	case err != nil:
		r.note = "credentials could not be asked for: " + gitcmd.OneLine(err.Error())
	case answer.Credentials != auth.Credentials{}:
		r.verify = answer.Verify
		return r.use(location, redirected, answer.Credentials) == nil
	}
	refused.Why = r.note
	return false
}

// use has later conversations go straight to the location that the credentials are for.
func (r *Remote) use(location string, redirected bool, c auth.Credentials) error {
	if redirected {
		ep, err := transport.NewEndpoint(location)
		if err != nil {
			return err
		}
		there := *r.endpoint
		there.ep, r.endpoint, r.location = ep, &there, location
	}
	r.auth = authMethod(c)
	return nil
}

// verified tells the source of the credentials, once, whether the server accepted them.
func (r *Remote) verified(ctx context.Context, accepted bool) {
	if r.verify != nil {
		r.verify(ctx, accepted)
	}
	r.verify = nil
}
