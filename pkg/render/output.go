package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// returned is an item that a function returned, and the item that the function received for it; nil when the item is new.
type returned struct{ now, was *krm.Object }

// adopt matches the items that a function returned with those it received. A new item without a path gets a file named after it
// in p, in the directory of the function's config.
func adopt(p *load.Package, out, in []*krm.Object, config *krm.Object) []returned {
	known := make(map[krm.Origin]*krm.Object, len(in))
	for _, o := range in {
		known[o.Origin()] = o
	}
	var dir string
	if config != nil {
		dir = path.Dir(config.Annotation(krm.PathAnnotation))
	}
	back := make([]returned, len(out))
	for i, o := range out {
		back[i] = returned{now: o, was: known[o.Origin()]}
		delete(known, o.Origin()) // a second copy is a new item
		if o == back[i].was {
			if o.HasAnnotation(krm.PathAnnotation) {
				continue
			}
			o = o.DeepCopy() // its list came without paths
			back[i].now = o
		}
		if o.File() == "" || !o.HasAnnotation(krm.PathAnnotation) && !o.HasAnnotation(krm.LegacyPathAnnotation) {
			o.SetAnnotation(krm.PathAnnotation, defaultPath(o, dir))
			o.SetAnnotation(krm.LegacyPathAnnotation, defaultPath(o, dir))
		}
		if !o.HasAnnotation(krm.PathAnnotation) {
			o.SetAnnotation(krm.PathAnnotation, o.Annotation(krm.LegacyPathAnnotation))
		}
		if !o.HasAnnotation(krm.PackagePathAnnotation) {
			o.SetAnnotation(krm.PackagePathAnnotation, p.Identity())
		}
	}
	return back
}

// defaultPath names the file of a resource for which a function gave no path.
func defaultPath(o *krm.Object, dir string) string {
	name := strings.ToLower(o.Kind()) + "_" + o.Name() + ".yaml"
	return path.Join(dir, o.Namespace(), name)
}

// checkOutput refuses what a function returned if it cannot be written: an item that is no KRM object, one outside the
// package, or two in one place. Like kpt it ignores the items that the selectors left out: an
// object in the place of one of those is written behind it.
func checkOutput(p *load.Package, back []returned) error {
	items := make([]*krm.Object, len(back))
	for i, r := range back {
		items[i] = r.now
	}
	if err := checkKRM("output", items); err != nil {
		return err
	}
	type place struct{ pkg, file, index string }
	taken := make(sets.Set[place], len(items))
	for i, o := range items {
		owner := o.Annotation(krm.PackagePathAnnotation)
		if !p.Encloses(owner) {
			return fmt.Errorf("%s: function must not modify resources outside of package: %s is %q",
				o.Describe(), krm.PackagePathAnnotation, owner)
		}
		file := path.Clean(o.Annotation(krm.PathAnnotation))
		if file == ".." || strings.HasPrefix(file, "../") {
			return fmt.Errorf("function must not modify resources outside of package: resource has path %s", o.Annotation(krm.PathAnnotation))
		}
		if o != back[i].was {
			if err := pkgtree.CheckPath(FileOf(o)); err != nil {
				return fmt.Errorf("%s: %w", o.Describe(), err)
			}
		}
		index := o.Annotation(krm.IndexAnnotation) // "" is a place as well, and holds one object
		if _, err := strconv.Atoi(index); index != "" && err != nil {
			return fmt.Errorf("%s: index %q is not a number", o.Describe(), index)
		}
		at := place{owner, file, index}
		if taken.Has(at) {
			return fmt.Errorf("resource at path %q and index %q already exists", file, index)
		}
		taken.Insert(at)
	}
	return nil
}

// checkKRM refuses items without apiVersion, kind or name, except kustomizations, which need none of them.
func checkKRM(which string, items []*krm.Object) error {
	missing := make([]string, len(items))
	parallel.For(len(items), func(i int) { missing[i] = notKRM(items[i]) })
	for i, o := range items {
		if missing := missing[i]; missing != "" {
			err := fmt.Errorf("%s resource list must contain only KRM resources: %s: resource must have %s", which, o.File(), missing)
			if dir, file := path.Split(o.File()); file == "Chart.yaml" && dir != "" {
				err = fmt.Errorf("%w; %s", err, load.HideChart("", path.Clean(dir)))
			}
			return err
		}
	}
	return nil
}

// notKRM names the first field that o needs and does not have; "" when o has all of them.
func notKRM(o *krm.Object) string {
	switch path.Base(o.File()) {
	case "kustomization.yaml", "kustomization.yml", "Kustomization":
		return ""
	}
	api, kind := o.APIVersion(), o.Kind()
	switch {
	case strings.HasPrefix(api, "kustomize.config.k8s.io"), api == "" && kind == "Kustomization":
		return ""
	case api == "":
		return "`apiVersion`"
	case kind == "":
		return "`kind`"
	case o.Name() == "":
		return "`metadata.name`"
	}
	return ""
}
