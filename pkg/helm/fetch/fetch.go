package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Request says which chart is wanted.
type Request struct {
	Repo    string // http://, https:// or oci://
	Name    string
	Version string // exact, a range as in Helm (^1.2, ~1.2.0, >1 <3), or "" for the latest release
}

func (r Request) String() string {
	if r.Version == "" {
		return fmt.Sprintf("chart %q of %s", r.Name, Redacted(r.Repo))
	}
	return fmt.Sprintf("chart %q %s of %s", r.Name, safetext.SingleLine(r.Version, 60), Redacted(r.Repo))
}

// Archive is a chart as its repository serves it.
type Archive struct {
	Version string // of the chart
	Digest  string // sha256:… of Data
	Data    []byte
}

// Login returns the name and password for a URL; "" if there are none.
type Login func(ctx context.Context, url string) (user, password string, err error)

// Registry reads oci:// repositories.
type Registry interface {
	// Tags lists the tags of a repository, which has no scheme.
	Tags(ctx context.Context, repository string) ([]string, error)
	// Chart returns the chart archive that a tag names, whose digest it checked against the manifest.
	Chart(ctx context.Context, repository, tag string, limit int64) ([]byte, error)
}

// Options are those of a Fetcher.
type Options struct {
	Login     Login             // nil: no credentials
	Registry  Registry          // nil: oci:// is refused
	Transport http.RoundTripper // nil: http.DefaultTransport
	Limits    Limits
}

// Limits bound answers; package chart bounds what an archive holds. A zero field means its default.
type Limits struct {
	Index   int64         // bytes of an index.yaml; default 64 MiB
	Archive int64         // bytes of an archive; default 32 MiB
	Time    time.Duration // for one request with its redirects; default 5 minutes
}

func (l Limits) withDefaults() Limits {
	l.Index = cmp.Or(l.Index, 64<<20)
	l.Archive = cmp.Or(l.Archive, 32<<20)
	l.Time = cmp.Or(l.Time, 5*time.Minute)
	return l
}

// Fetcher fetches charts. It asks for each index and each archive once. Several goroutines may use it.
type Fetcher struct {
	o    Options
	mu   sync.Mutex
	once map[any]func() (any, error)
}

// New returns a Fetcher.
func New(o Options) *Fetcher {
	o.Limits = o.Limits.withDefaults()
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	return &Fetcher{o: o, once: map[any]func() (any, error){}}
}

// Fetch fetches a chart.
func (f *Fetcher) Fetch(ctx context.Context, r Request) (*Archive, error) {
	a, err := cached(f, r, func() (*Archive, error) { return f.fetch(ctx, r) })
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", r, err)
	}
	return a, nil
}

// cached calls get once for a key.
func cached[T any](f *Fetcher, key any, get func() (T, error)) (T, error) {
	f.mu.Lock()
	call, ok := f.once[key]
	if !ok {
		call = sync.OnceValues(func() (any, error) { return get() })
		f.once[key] = call
	}
	f.mu.Unlock()
	value, err := call()
	return value.(T), err
}

func (f *Fetcher) fetch(ctx context.Context, r Request) (*Archive, error) {
	repo, err := ParseRepo(r.Repo)
	if err != nil {
		return nil, err
	}
	get := f.fromIndex
	if repo.Scheme == "oci" {
		get = f.fromRegistry
	}
	a, err := get(ctx, repo, r)
	if err != nil {
		return nil, err
	}
	a.Digest = chart.Digest(a.Data)
	return a, a.check(r.Name)
}

// ParseRepo parses the URL of a repository.
func ParseRepo(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil: // its text would repeat a secret
		return nil, fmt.Errorf("repo: cannot be parsed as a URL")
	case u.User != nil:
		return nil, fmt.Errorf("repo: holds a user or password, which Git would keep: remove it; for http and https .netrc gives " +
			"credentials, for oci docker login does")
	case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "oci":
		return nil, fmt.Errorf("repo: %q: want an https://, http:// or oci:// URL", Redacted(raw))
	case u.Host == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("repo: %q: want SCHEME://HOST/PATH, without query or fragment", Redacted(raw))
	}
	return u, nil
}

// Redacted is a URL for messages: without user, password and query.
func Redacted(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "a repository whose URL cannot be parsed"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return safetext.SingleLine(strings.TrimSuffix(u.String(), "/"), 300)
}
