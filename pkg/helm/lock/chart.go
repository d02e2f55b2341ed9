package lock

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

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
	entry := Chart{Name: w.Name, Repo: w.Repo, Version: a.Version, Constraint: constraint(w, a.Version), Digest: a.Digest}
	p := path.Join(c.Home, fmt.Sprintf("%s-%s.tgz", w.Name, a.Version))
	entry.Path = relative(c.File, p)
	if err := pkgtree.CheckPath(p); err != nil || path.Dir(p) != c.Home {
		return entry, "", errors.Join(errors.New("its version cannot be part of a file name"), err)
	}
	if data, ok := u.tree.Get(p); ok && chart.Digest(data) != a.Digest && u.old[p] != chart.Digest(data) {
		return entry, "", fmt.Errorf("%s is not what %s serves: its digest is %s, and not %s; remove the file to fetch it, or leave out repo "+
			"in the config to use it", p, fetch.Redacted(w.Repo), chart.Digest(data), a.Digest)
	}
	u.changes[p] = a.Data
	return entry, Fetched, nil
}

// get takes an archive from the other version of the package, or fetches it.
func (u *updater) get(c *Config, w Wanted, version, digest string) (*fetch.Archive, error) {
	p := path.Join(c.Home, fmt.Sprintf("%s-%s.tgz", w.Name, version))
	if data, ok := u.o.From.Get(p); ok && digest != "" && chart.Digest(data) == digest {
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
	entry := Chart{Name: w.Name, Version: about.Version(), Path: relative(c.File, p)}
	if data, ok := u.tree.Get(p); ok {
		entry.Digest = chart.Digest(data)
	} else {
		folder := u.tree.Sub(p)
		entry.Digest = chart.FolderDigest(folder.Paths(), func(p string) []byte { return folder.Blob(p).Data() })
	}
	switch was := l.Find(w); {
	case about.Name() != w.Name || w.Version != "" && w.Version != about.Version():
		return entry, "", fmt.Errorf("%s holds chart %q %s, and the config wants %s %s", p, about.Name(), about.Version(), w.Name, w.Version)
	case was != nil && *was == entry:
		return entry, Unchanged, nil
	case was != nil && was.Version == entry.Version && strings.HasSuffix(p, ".tgz") && was.Path == entry.Path:
		return entry, "", fmt.Errorf("%s has the digest %s, and the lock says %s for the same version: give the changed chart a version of its "+
			"own, or remove the entry from %s", p, entry.Digest, was.Digest, c.LockFile())
	}
	return entry, Locked, nil
}

// find finds a chart in chartHome: NAME/Chart.yaml, NAME-VERSION.tgz or NAME.tgz.
func (u *updater) find(c *Config, w Wanted) (string, *chart.Chart, error) {
	folder := path.Join(c.Home, w.Name)
	if u.tree.Blob(path.Join(folder, "Chart.yaml")) != nil {
		c, err := readFolder(folder, u.tree.Sub(folder))
		return folder, c, err
	}
	names := []string{w.Name + ".tgz"}
	if w.Version != "" {
		names = []string{w.Name + "-" + w.Version + ".tgz", w.Name + ".tgz"}
	}
	for _, name := range names {
		p := path.Join(c.Home, name)
		if data, ok := u.tree.Get(p); ok {
			c, err := fetch.Load(data)
			if err != nil {
				err = fmt.Errorf("%s: %w", p, err)
			}
			return p, c, err
		}
	}
	return "", nil, fmt.Errorf("there is no folder %s with a Chart.yaml, and no %s: put the chart there, or set chartArgs.repo",
		folder, path.Join(c.Home, names[0]))
}

func readFolder(dir string, tree pkgtree.Tree) (*chart.Chart, error) {
	var files []chart.File
	for p, b := range tree.All() {
		files = append(files, chart.File{Name: p, Data: b.Data()})
	}
	files, err := chart.Folder(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return chart.Load(files)
}
