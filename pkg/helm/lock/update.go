package lock

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Update locks the charts of a package and of its subpackages: it writes locks and archives, and removes the archives that only
// old locks name. Without configs the result is the same tree.
func Update(ctx context.Context, tree pkgtree.Tree, o Options) (*Result, error) {
	configs, err := Configs(tree)
	if err != nil || len(configs) == 0 {
		return &Result{Tree: tree}, err
	}
	u := &updater{ctx: ctx, o: o, tree: tree, changes: map[string][]byte{}, old: map[string]string{}, used: map[string]bool{}}
	for _, file := range byFile(configs) {
		if err := u.file(file); err != nil {
			return nil, err
		}
	}
	u.removeOld()
	out, err := tree.Apply(u.changes)
	if err == nil {
		out, err = embed(out, u.complete(configs), o.Embed)
	}
	return &Result{Tree: out, Rows: u.rows}, err
}

// complete are the configs in files whose charts are all there.
func (u *updater) complete(configs []*Config) (out []*Config) {
	for _, c := range configs {
		if !slices.ContainsFunc(u.rows, func(r Row) bool { return r.Config == c.File && r.Status == Missing }) {
			out = append(out, c)
		}
	}
	return out
}

// updater locks one package.
type updater struct {
	ctx     context.Context
	o       Options
	tree    pkgtree.Tree
	changes map[string][]byte
	old     map[string]string // the archives that locks named before, with their digests
	used    map[string]bool   // the archives that locks name now
	rows    []Row
}

// byFile groups the configs of one file, which have one file of locks.
func byFile(configs []*Config) (out [][]*Config) {
	for _, c := range configs {
		if n := len(out); n > 0 && out[n-1][0].File == c.File {
			out[n-1] = append(out[n-1], c)
			continue
		}
		out = append(out, []*Config{c})
	}
	return out
}

// file locks the configs in one file.
func (u *updater) file(configs []*Config) error {
	f, err := readLockFile(u.tree, configs[0].LockFile())
	if err != nil {
		return err
	}
	for _, c := range configs {
		l, err := f.lock(c.Name)
		if err != nil {
			return err
		}
		for _, was := range l.Charts {
			u.old[path.Join(path.Dir(f.path), was.Path)] = was.Digest
		}
		charts, err := u.charts(c, l)
		if err == nil && len(charts) > 0 {
			err = f.set(c.Name, l, charts)
		}
		if err != nil {
			return fmt.Errorf("%s: %s %q: %w", c.File, ConfigKind, c.Name, err)
		}
	}
	return u.write(f, configs)
}

// write writes a file of locks; locks whose configs are gone are removed.
func (u *updater) write(f *lockFile, configs []*Config) error {
	before := len(f.objects)
	f.objects = slices.DeleteFunc(f.objects, func(o *krm.Object) bool {
		return IsLock(o) && !slices.ContainsFunc(configs, func(c *Config) bool { return c.Name == o.Name() && len(c.Charts) > 0 })
	})
	if !f.changed && len(f.objects) == before { // not a byte changes, however it is written
		return nil
	}
	data, err := krm.Write(f.objects)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if len(data) == 0 {
		data = nil
	}
	u.changes[f.path] = data
	return nil
}

// charts locks the charts of a config. If one is missing, the lock stays as it is.
func (u *updater) charts(c *Config, l *Lock) (out []Chart, err error) {
	missing := false
	for _, w := range c.Charts {
		locked, status, err := u.chart(c, l, w)
		if err != nil {
			return nil, fmt.Errorf("chart %q: %w", w.Name, err)
		}
		row := Row{Config: c.File, Chart: locked, Status: status, From: before(l, w, locked.Version)}
		if locked.Digest != "" && !slices.Contains(out, locked) {
			out = append(out, locked)
		}
		missing = missing || status == Missing
		if !slices.Contains(u.rows, row) {
			u.rows = append(u.rows, row)
		}
	}
	if missing {
		out = l.Charts
	}
	for _, locked := range out {
		u.used[path.Join(path.Dir(c.File), locked.Path)] = true
	}
	return out, nil
}

// before is the version of a chart that the lock had, if it is another one.
func before(l *Lock, w Wanted, version string) (other string) {
	for _, c := range l.Charts {
		if c.Name == w.Name && c.Version == version {
			return ""
		}
		if c.Name == w.Name {
			other = c.Version
		}
	}
	return other
}

// chart locks one chart.
func (u *updater) chart(c *Config, l *Lock, w Wanted) (Chart, Status, error) {
	if w.Repo == "" {
		return u.local(c, l, w)
	}
	was := l.Find(w)
	if was != nil && (!u.o.Upgrade || was.Constraint == "") {
		return u.locked(c, *was)
	}
	missing := Chart{Name: w.Name, Repo: w.Repo, Version: w.Version, Constraint: constraint(w, w.Version)}
	if u.o.Fetch == nil {
		return missing, Missing, nil
	}
	return u.fetch(c, l, w, w.Version, "")
}

// locked returns a chart that the lock has. Its archive must have the digest of the lock.
func (u *updater) locked(c *Config, was Chart) (Chart, Status, error) {
	p := path.Join(path.Dir(c.File), was.Path)
	if data, ok := u.tree.Get(p); ok {
		if chart.Digest(data) != was.Digest {
			return was, "", fmt.Errorf("%s has the digest %s, and the lock says %s: "+
				"restore the file, or remove it and run 'waybill helm lock' to fetch it again", p, chart.Digest(data), was.Digest)
		}
		return was, Unchanged, nil
	}
	if u.o.Fetch == nil && !u.has(p, was.Digest) {
		return was, Missing, nil
	}
	w := Wanted{Name: was.Name, Repo: was.Repo, Version: cmp.Or(was.Constraint, was.Version)}
	return u.fetch(c, &Lock{}, w, was.Version, was.Digest)
}

// has reports whether From has an archive.
func (u *updater) has(p, digest string) bool {
	data, ok := u.o.From.Get(p)
	return ok && chart.Digest(data) == digest
}

// constraint is what the lock says of a config that has no exact version.
func constraint(w Wanted, version string) string {
	if asked := cmp.Or(w.Version, chart.AnyVersion); asked != version {
		return asked
	}
	return ""
}

// removeOld removes the archives that no lock names any more, unless a user changed them.
func (u *updater) removeOld() {
	for p, digest := range u.old {
		if data, ok := u.tree.Get(p); ok && !u.used[p] && chart.Digest(data) == digest && strings.HasSuffix(p, ".tgz") {
			u.changes[p] = nil
		}
	}
}
