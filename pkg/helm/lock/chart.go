package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// maxContent bounds the archives of charts that lie in a package, unpacked.
const maxContent = 128 << 20

// fetch fetches a chart at a version and writes its archive. The archive must have the digest, if one is given, and that of any
// lock of the same version.
func (u *updater) fetch(c *Config, l *Lock, w Wanted, version, digest string) (Chart, Status, error) {
	a, err := u.get(c, w, version, digest)
	if err != nil {
		return Chart{}, "", err
	}
	for _, was := range l.Charts {
		if was.Name == w.Name && was.Repo == w.Repo && was.Version == a.Version {
			digest = was.Digest
		}
	}
	if digest != "" && a.Digest != digest {
		return Chart{}, "", fmt.Errorf("version %s of %s has the digest %s now, and the lock says %s: the repository replaced it. Find out why; "+
			"to accept it, remove the entry from %s, and the archive", a.Version, fetch.Redacted(w.Repo), a.Digest, digest, c.LockFile())
	}
	chart := Chart{Name: w.Name, Repo: w.Repo, Version: a.Version, Constraint: constraint(w, a.Version), Digest: a.Digest}
	p := path.Join(c.Home, fmt.Sprintf("%s-%s.tgz", w.Name, a.Version))
	chart.Path = relative(c.File, p)
	if err := pkgtree.CheckPath(p); err != nil || path.Dir(p) != c.Home {
		return chart, "", errors.Join(errors.New("its version cannot be part of a file name"), err)
	}
	if data, ok := u.tree.Get(p); ok && fetch.DigestOf(data) != a.Digest && u.old[p] != fetch.DigestOf(data) {
		return chart, "", fmt.Errorf("%s is not what %s serves: its digest is %s, and not %s; remove the file to fetch it, or leave out repo "+
			"in the config to use it", p, fetch.Redacted(w.Repo), fetch.DigestOf(data), a.Digest)
	}
	u.changes[p] = a.Data
	return chart, Fetched, nil
}

// get takes an archive from the other version of the package, or fetches it.
func (u *updater) get(c *Config, w Wanted, version, digest string) (*fetch.Archive, error) {
	p := path.Join(c.Home, fmt.Sprintf("%s-%s.tgz", w.Name, version))
	if data, ok := u.o.From.Get(p); ok && digest != "" && fetch.DigestOf(data) == digest {
		return &fetch.Archive{Version: version, Digest: digest, Data: data}, nil
	}
	r := fetch.Request{Repo: w.Repo, Name: w.Name, Version: version}
	if u.o.Observe != nil {
		u.o.Observe(r)
	}
	return u.o.Fetch(u.ctx, r)
}

// local locks a chart that lies in the package: a folder or an archive of its name in chartHome.
func (u *updater) local(c *Config, l *Lock, w Wanted) (Chart, Status, error) {
	p, about, err := u.find(c, w)
	if err != nil {
		return Chart{}, "", err
	}
	chart := Chart{Name: w.Name, Version: about.Version, Path: relative(c.File, p)}
	if data, ok := u.tree.Get(p); ok {
		chart.Digest = fetch.DigestOf(data)
	} else {
		chart.Digest = FolderDigest(u.tree.Sub(p))
	}
	switch was := l.Find(w); {
	case about.Name != w.Name || w.Version != "" && w.Version != about.Version:
		return chart, "", fmt.Errorf("%s holds chart %q %s, and the config wants %s %s", p, about.Name, about.Version, w.Name, w.Version)
	case was != nil && *was == chart:
		return chart, Unchanged, nil
	case was != nil && was.Version == chart.Version && strings.HasSuffix(p, ".tgz") && was.Path == chart.Path:
		return chart, "", fmt.Errorf("%s has the digest %s, and the lock says %s for the same version: give the changed chart a version of its "+
			"own, or remove the entry from %s", p, chart.Digest, was.Digest, c.LockFile())
	}
	return chart, Locked, nil
}

// find finds a chart in chartHome: NAME/Chart.yaml, NAME-VERSION.tgz or NAME.tgz.
func (u *updater) find(c *Config, w Wanted) (string, *fetch.Chart, error) {
	folder := path.Join(c.Home, w.Name)
	if data, ok := u.tree.Get(path.Join(folder, "Chart.yaml")); ok {
		about, err := readChart(path.Join(folder, "Chart.yaml"), data)
		return folder, about, err
	}
	names := []string{w.Name + ".tgz"}
	if w.Version != "" {
		names = []string{w.Name + "-" + w.Version + ".tgz", w.Name + ".tgz"}
	}
	for _, name := range names {
		p := path.Join(c.Home, name)
		if data, ok := u.tree.Get(p); ok {
			about, err := fetch.Describe(data, maxContent)
			if err != nil {
				err = fmt.Errorf("%s: %w", p, err)
			}
			return p, about, err
		}
	}
	return "", nil, fmt.Errorf("there is no folder %s with a Chart.yaml, and no %s: put the chart there, or set chartArgs.repo",
		folder, path.Join(c.Home, names[0]))
}

func readChart(file string, data []byte) (*fetch.Chart, error) {
	docs, err := krm.Read(file, data, krm.Limits{Documents: 1})
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s: is empty", file)
	}
	about := new(fetch.Chart)
	if err := krm.DecodeLoose(docs[0].Node(), nil, about); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if about.Version == "" {
		return nil, fmt.Errorf("%s: %w", file, field.Required(field.NewPath("version"), "charts have a version"))
	}
	return about, nil
}

// FolderDigest is the digest of a chart that lies in a package as a folder: that of a line "<hex SHA-256>  <path>" for each of its
// files, in path order, as sha256sum prints them.
func FolderDigest(chart pkgtree.Tree) string {
	all := sha256.New()
	for p, b := range chart.All() {
		sum := sha256.Sum256(b.Data())
		fmt.Fprintf(all, "%s  %s\n", hex.EncodeToString(sum[:]), p)
	}
	return "sha256:" + hex.EncodeToString(all.Sum(nil))
}
