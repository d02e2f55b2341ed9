package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/Masterminds/semver/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// maxIndexNodes bounds the values in an index: large public ones have some 500,000.
const maxIndexNodes = 2_000_000

// entry is a version of a chart in an index; other fields do not matter here.
type entry struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Digest  string   `json:"digest"`
	URLs    []string `json:"urls"`
}

// fromIndex fetches a chart of an HTTP repository.
func (f *Fetcher) fromIndex(ctx context.Context, repo *url.URL, r Request) (*Archive, error) {
	index, err := cached(f, repo.String(), func() (*krm.Object, error) { return f.index(ctx, repo) })
	if err != nil {
		return nil, err
	}
	e, err := find(index, r)
	if err != nil {
		return nil, err
	}
	at, err := archiveURL(repo, e)
	if err != nil {
		return nil, err
	}
	a, err := f.get(ctx, repo, at, f.o.Limits.Archive, "identity")
	if err != nil {
		return nil, err
	}
	if e.Digest != "" && chart.Digest(a.data) != "sha256:"+strings.TrimPrefix(strings.ToLower(e.Digest), "sha256:") {
		return nil, fmt.Errorf("%s has the digest %s (content type %q), and index.yaml says %q: the repository is broken or was tampered with",
			Redacted(at.String()), chart.Digest(a.data), a.contentType, safetext.SingleLine(e.Digest, 80))
	}
	return &Archive{Version: e.Version, Data: a.data}, nil
}

// index fetches the index of a repository.
func (f *Fetcher) index(ctx context.Context, repo *url.URL) (*krm.Object, error) {
	at := repo.JoinPath("index.yaml")
	a, err := f.get(ctx, repo, at, f.o.Limits.Index, "")
	if err != nil {
		return nil, err
	}
	name := Redacted(at.String())
	docs, err := krm.Read(name, a.data, krm.Limits{Bytes: int(f.o.Limits.Index), Documents: 1, Nodes: maxIndexNodes})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; it is no index of a chart repository (content type %q)", err, a.contentType)
	case len(docs) != 1 || docs[0].Lookup("entries") == nil:
		return nil, fmt.Errorf("%s: is no index of a chart repository: it has no entries (content type %q)", name, a.contentType)
	}
	return docs[0], nil
}

// find returns the newest version that r allows.
func find(index *krm.Object, r Request) (*entry, error) {
	list := index.Lookup("entries", r.Name)
	if list == nil {
		return nil, errors.New("the repository has no chart of this name")
	}
	var all []entry
	if err := krm.DecodeLoose(list, field.NewPath("entries").Key(r.Name), &all); err != nil {
		return nil, fmt.Errorf("index.yaml: %w", err)
	}
	versions := make([]string, len(all))
	for i, e := range all {
		versions[i] = e.Version
	}
	at, err := choose(versions, r.Version)
	if err != nil {
		return nil, err
	}
	return &all[at], nil
}

// choose returns the index of the newest of versions that wanted allows, by Helm's rules: what is an exact version is that one
// alone; ranges have no pre-releases unless they name some.
func choose(versions []string, wanted string) (int, error) {
	if wanted == "" {
		wanted = "*"
	}
	allowed, err := semver.NewConstraint(wanted)
	if err != nil {
		return 0, fmt.Errorf("version %q: want an exact version, or a range such as ^1.2 or \">=1.2 <2\": %w", wanted, err)
	}
	best, at := (*semver.Version)(nil), -1
	for i, text := range versions {
		v, err := semver.NewVersion(text)
		if err != nil { // Helm skips these, too
			continue
		}
		if text == wanted {
			return i, nil
		}
		if allowed.Check(v) && (best == nil || v.GreaterThan(best)) {
			best, at = v, i
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("the repository has no version %q of it; it has %s", wanted, newest(versions))
	}
	return at, nil
}

// newest names some of the versions.
func newest(versions []string) string {
	if len(versions) == 0 {
		return "none"
	}
	const most = 5
	named, more := versions[:min(len(versions), most)], ""
	if n := len(versions) - len(named); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return safetext.SingleLine(strings.Join(named, ", "), 200) + more
}

// archiveURL is where an archive is: a URL, or a path from the folder of the index.
func archiveURL(repo *url.URL, e *entry) (*url.URL, error) {
	if len(e.URLs) == 0 {
		return nil, fmt.Errorf("index.yaml names no URL for version %s", safetext.SingleLine(e.Version, 60))
	}
	at, err := repo.JoinPath("index.yaml").Parse(e.URLs[0])
	switch {
	case err != nil:
		return nil, fmt.Errorf("index.yaml: the URL of version %s cannot be parsed", safetext.SingleLine(e.Version, 60))
	case at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.User != nil:
		return nil, fmt.Errorf("index.yaml: the URL %s of version %s is none of a web server", Redacted(at.String()),
			safetext.SingleLine(e.Version, 60))
	case repo.Scheme == "https" && at.Scheme != "https":
		return nil, fmt.Errorf("index.yaml: the URL %s is without encryption, and that of the repository is with it", Redacted(at.String()))
	}
	return at, nil
}

// Exact reports whether text is one version, and no range.
func Exact(text string) bool {
	_, err := semver.StrictNewVersion(strings.TrimPrefix(text, "v"))
	return err == nil
}
