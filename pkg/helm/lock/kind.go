package lock

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Kind is the kind of lock objects; their API group and version are those of function configs.
const Kind = chart.LockKind

// Chart is a locked chart.
type Chart = chart.Locked

// Lock is a lock object.
type Lock struct {
	Charts []Chart
	Object *krm.Object // nil if it is not in a file yet
}

// Find returns the chart that locks w; nil if there is none.
func (l *Lock) Find(w Wanted) *Chart {
	return chart.FindLocked(l.Charts, w.Name, w.Repo, w.Version)
}

// IsLock reports whether o is a lock.
func IsLock(o *krm.Object) bool { return o.Is(fn.ConfigGroup, Kind) }

// Parse reads the fields of a lock object in a file.
func Parse(file string, o *krm.Object) (*Lock, error) {
	l := &Lock{Object: o}
	const hint = "entries belong under charts; remove it, or use the version of waybill that wrote it"
	if err := fn.UnknownFields(o, hint, "charts").ToAggregate(); err != nil {
		return nil, fmt.Errorf("%s: %s %q: %w", file, Kind, o.Name(), err)
	}
	if charts := o.Lookup("charts"); charts != nil {
		if err := krm.DecodeNode(charts, field.NewPath("charts"), &l.Charts); err != nil {
			return nil, fmt.Errorf("%s: %s %q: %w", file, Kind, o.Name(), err)
		}
	}
	for i, c := range l.Charts {
		p, err := inPackage(file, c.Path, field.NewPath("charts").Index(i).Child("path"))
		if err == nil && (p == "." || p == path.Dir(file)) {
			err = field.Invalid(field.NewPath("charts").Index(i).Child("path"), c.Path, "want an archive or the folder of a chart")
		}
		if err == nil && !strings.HasPrefix(c.Digest, "sha256:") {
			err = field.Invalid(field.NewPath("charts").Index(i).Child("digest"), c.Digest, "want sha256: and 64 hex digits")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s %q: %w; remove the entry and run 'waybill helm lock'", file, Kind, o.Name(), err)
		}
	}
	return l, nil
}

// lockFile is a file with locks, one for each config in the file of the same name.
type lockFile struct {
	path    string
	objects []*krm.Object
	changed bool
}

func readLockFile(tree pkgtree.Tree, p string) (*lockFile, error) {
	f := &lockFile{path: p}
	data, ok := tree.Get(p)
	if !ok {
		return f, nil
	}
	var err error
	f.objects, err = krm.Read(p, data, krm.Limits{})
	return f, err
}

// lock is the lock of the config of that name.
func (f *lockFile) lock(name string) (*Lock, error) {
	for _, o := range f.objects {
		if IsLock(o) && o.Name() == name {
			return Parse(f.path, o)
		}
	}
	return &Lock{}, nil
}

// set replaces the charts of a lock.
func (f *lockFile) set(name string, l *Lock, charts []Chart) error {
	node, err := krm.NodeOf(charts)
	if err != nil {
		return err
	}
	if l.Object == nil {
		o, err := krm.FromTyped(map[string]any{
			"apiVersion": fn.ConfigGroup + "/" + fn.ConfigVersion, "kind": Kind, "metadata": map[string]any{
				"name": name, "annotations": map[string]any{krm.LocalConfigAnnotation: "true"},
			},
		})
		if err != nil {
			return err
		}
		l.Object, f.objects = o, append(f.objects, o)
	}
	if have := l.Object.Lookup("charts"); have == nil || !krm.SameNode(have, node) {
		krm.SetField(l.Object.Node(), "charts", node)
		f.changed = true
	}
	return nil
}

// relative is a path in the package, from the folder of a file.
func relative(file, p string) string {
	rel, err := filepath.Rel(path.Dir(file), p)
	if err != nil { // both are relative
		return p
	}
	return filepath.ToSlash(rel)
}
