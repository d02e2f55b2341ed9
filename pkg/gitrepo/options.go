package gitrepo

import (
	"cmp"
	"context"
	"os"
	"os/user"

	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/redact"
	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
	"github.com/waybill-dev/waybill/pkg/memlimit"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Bounds are the most that is taken from a remote in one conversation.
type Bounds = pack.Bounds

type (
	// Credentials authenticate against an HTTP server.
	Credentials = auth.Credentials
	// Answer is the result of a search for credentials.
	Answer = auth.Answer
	// SSH says how to authenticate against SSH servers.
	SSH = auth.SSH
)

// SSHFromEnvironment returns what an SSH client finds in its environment.
func SSHFromEnvironment(getenv func(string) string) SSH { return auth.SSHFromEnvironment(getenv) }

// Options tune a Repo. The zero Options are fine for a repository that needs no credentials.
type Options struct {
	Credentials Credentials
	// Ask, when set, is called for credentials when an HTTP server wants some and none were given, at most once for each
	// URL that a Repo or package is read from; the request is then repeated. The URL has no
	// password, but the user's name if one was given. Where a server redirects to another that wants credentials, it
	// is the URL of that one, and the answer is sent to that one alone.
	Ask func(ctx context.Context, url string) (Answer, error)
	// SSH says how to authenticate against SSH servers. The zero SSH cannot: see SSHFromEnvironment.
	SSH SSH
	// CABundle is trusted beside the system's roots, for https. PEM.
	CABundle []byte
	// Limits bound one package that is read. Zero fields mean pkgtree's defaults.
	Limits pkgtree.Limits
	// Bounds are the most that is taken from the remote in one conversation.
	Bounds Bounds
	// Context, when set, ends the requests that reads of a Repo make for older commits, which then fail. It must last as long as the
	// Repo is used; those that Open, Refresh and Push make have contexts of their own.
	Context context.Context
	// Cache keeps what FetchPackage and FetchLocked take. A Repo does not use it.
	Cache *Cache
	// OnStep, when set, is called after every step, in the goroutine that did it. It
	// must not call back into the Repo.
	OnStep func(Step)
}

// ForUser returns the Options of a command that a user runs: credentials are those of Git's credential helpers and of .netrc, and SSH
// is what an SSH client finds in the environment.
func ForUser() Options {
	o := Options{SSH: SSHFromEnvironment(os.Getenv), Ask: auth.Ask}
	if me, err := user.Current(); err == nil {
		o.SSH.User = cmp.Or(o.SSH.User, me.Username)
	}
	return o
}

func (o Options) transport() transport.Options {
	return transport.Options{Credentials: o.Credentials, Ask: o.Ask, SSH: o.SSH, CABundle: o.CABundle, Bounds: o.Bounds}
}

func withDefaults(l pkgtree.Limits) pkgtree.Limits {
	if l.Files == 0 {
		l.Files = 100_000
	}
	if l.Bytes == 0 {
		l.Bytes = min(1<<30, memlimit.Bytes()/8)
	}
	return l
}

// Address is where the repository of a URL is, the same however the URL is written. See transport.Address.
func Address(raw string) string { return transport.Address(raw) }

// SameRepository reports whether two URLs are those of one repository. See transport.SameRepository.
func SameRepository(a, b string) bool { return transport.SameRepository(a, b) }

// IsLocal reports whether raw names a repository of this machine.
func IsLocal(raw string) bool { return transport.IsLocal(raw) }

// LocalDir returns the folder of a repository of this machine; "" for other repositories.
func LocalDir(raw string) string { return transport.LocalDir(raw) }

// Redact returns the address of a repository or package without what may be a secret.
func Redact(raw string) string { return redact.URL(raw) }

// RedactRef returns the name of a ref without what may be a secret.
func RedactRef(name string) string { return redact.Ref(name) }
