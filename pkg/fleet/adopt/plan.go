package adopt

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Plan is a package with the works of a hub.
type Plan struct {
	// Tree has the files of the package and those of the works.
	Tree pkgtree.Tree
	// Works are those that are taken over, by cluster, policy and name.
	Works []*Work
	// Ours is how many works of the hub come from bundle-manifestwork.
	Ours int
	// Others is how many works other policies have, by policy.
	Others map[string]int
	// Space is the workload space of the works.
	Space string
}

// New plans to take over the works among objects that policies of the package made, in a workload space of the hub. An empty space
// stands for the only one that there is.
func New(tree pkgtree.Tree, objects []*krm.Object, space string) (*Plan, error) {
	if tree.Blob(kptfile.Name) == nil {
		return nil, errors.New("the folder has no Kptfile: name the package whose pipeline runs bind-resolve and bundle-manifestwork")
	}
	files, err := readFiles(tree)
	if err != nil {
		return nil, err
	}
	if len(files.policies) == 0 {
		return nil, errors.New("the package has no BindingPolicy and no Binding: export them from KubeStellar first, with the objects that " +
			"they select")
	}
	p := &Plan{Others: map[string]int{}, Space: space}
	found, err := p.choose(objects, files.policies)
	if err != nil {
		return nil, err
	}
	changes, errs := map[string][]byte{}, []error(nil)
	for _, o := range found {
		w, err := newWork(o)
		if err == nil {
			err = files.place(w, changes)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("ManifestWork %s/%s: %w", o.Namespace(), o.Name(), err))
			continue
		}
		p.Works = append(p.Works, w)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	p.Tree, err = tree.Apply(changes)
	return p, err
}

// choose returns the works to take over, by cluster, policy and name.
func (p *Plan) choose(objects []*krm.Object, policies map[string]bool) (found []*krm.Object, err error) {
	spaces := map[string]int{}
	for _, o := range objects {
		labels := o.Labels()
		policy, space := labels[control.OriginBindingLabel], labels[naming.WDSLabel]
		switch {
		case !o.Is(naming.WorkGroup, naming.WorkKind) || policy == "" || space == "":
		case o.Annotation(fn.GeneratedBy) == naming.Function:
			p.Ours++
		case !policies[policy]:
			p.Others[policy]++
		default:
			found = append(found, o)
			spaces[space]++
		}
	}
	if err := p.chooseSpace(spaces); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(o *krm.Object) bool { return o.Labels()[naming.WDSLabel] != p.Space })
	slices.SortFunc(found, func(a, b *krm.Object) int {
		policies := cmp.Compare(a.Labels()[control.OriginBindingLabel], b.Labels()[control.OriginBindingLabel])
		return cmp.Or(cmp.Compare(a.Namespace(), b.Namespace()), policies, cmp.Compare(a.Name(), b.Name()))
	})
	for i, o := range found {
		if i > 0 && found[i-1].ID() == o.ID() {
			return nil, fmt.Errorf("ManifestWork %s/%s occurs twice: keep one", o.Namespace(), o.Name())
		}
	}
	return found, nil
}

// chooseSpace takes the only workload space if none is given. spaces counts the works of each.
func (p *Plan) chooseSpace(spaces map[string]int) error {
	switch {
	case len(spaces) == 0:
	case p.Space == "" && len(spaces) > 1:
		return fmt.Errorf("the works are of several workload spaces (%s): choose one by --wds-name", listed(spaces))
	case p.Space != "" && spaces[p.Space] == 0:
		return fmt.Errorf("no work is of workload space %q; there are %s", p.Space, listed(spaces))
	case p.Space == "":
		for space := range spaces {
			p.Space = space
		}
	}
	return nil
}

func listed(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%q: %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

// files are what a package has already.
type files struct {
	policies map[string]bool
	works    map[krm.ID]string // the file of each work
	crowded  map[string]bool   // files with several objects
	taken    map[string]bool
}

func readFiles(tree pkgtree.Tree) (*files, error) {
	f := &files{policies: map[string]bool{}, works: map[krm.ID]string{}, crowded: map[string]bool{}, taken: map[string]bool{}}
	for file, blob := range tree.All() {
		f.taken[file] = true
		if ext := path.Ext(file); ext != ".yaml" && ext != ".yml" {
			continue
		}
		objects, err := krm.ReadLazy(file, blob.Data(), krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil {
			return nil, err
		}
		f.crowded[file] = len(objects) > 1
		for _, o := range objects {
			switch {
			case o.Is(control.Group, control.KindBindingPolicy), o.Is(control.Group, control.KindBinding):
				f.policies[o.Name()] = true
			case o.Is(naming.WorkGroup, naming.WorkKind):
				f.works[o.ID()] = file
			}
		}
	}
	return f, nil
}

// place chooses the file of a work: the one that it has already, or the one that bundle-manifestwork would choose.
func (f *files) place(w *Work, changes map[string][]byte) error {
	file, has := f.works[w.object.ID()]
	if has && f.crowded[file] {
		return fmt.Errorf("the package has it in %s, with other objects: move it to a file of its own", file)
	}
	if !has {
		folder := naming.Folder(w.Cluster, w.Policy)
		file = path.Join(folder, naming.WorkFile(w.Name))
		if n, numbered := naming.OriginOf(w.object).NumberOf(w.object); numbered && !f.taken[path.Join(folder, naming.ShardFile(n))] {
			file = path.Join(folder, naming.ShardFile(n))
		}
		if f.taken[file] {
			return fmt.Errorf("another object is in its file, %s: move it", file)
		}
	}
	data, err := krm.Write([]*krm.Object{w.object})
	if err != nil {
		return err
	}
	w.File, f.taken[file], changes[file] = file, true, data
	return nil
}
