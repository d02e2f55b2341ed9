package upstream

import (
	"net/url"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// WithoutSecret is a repository's URL without what may be a secret, for Kptfiles and messages.
// The user name of an SSH URL is no secret.
func WithoutSecret(repo string) string {
	u, err := url.Parse(repo)
	if err != nil || u.Scheme != "ssh" || u.Host == "" || u.User.Username() == "" {
		return gitrepo.Redact(repo)
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = url.User(u.User.Username()), "", false, "", ""
	return u.String()
}
