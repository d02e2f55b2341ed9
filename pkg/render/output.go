package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// returned is an item that came back from a function, and the item it was; nil when it is new.
type returned struct{ now, was *krm.Object }

// adopt recognises what came back and files what is new: with p, in a file named after it, in the
// directory of the function's config.
func (p *pkg) adopt(out, in []*krm.Object, config *krm.Object) []returned {
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
			o = o.DeepCopy() // from a list that files nothing
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
			o.SetAnnotation(krm.PackagePathAnnotation, p.identity())
		}
	}
	return back
}

// defaultPath names the file of a resource that a function filed nowhere.
func defaultPath(o *krm.Object, dir string) string {
	name := strings.ToLower(o.Kind()) + "_" + o.Name() + ".yaml"
	return path.Join(dir, o.Namespace(), name)
}

// checkOutput refuses what a function returned if it could not be written: no KRM, outside the
// package, or two in one place. Like kpt it does not look at what the function was not shown: an
// object that lands where one of those is, is written behind it.
func (p *pkg) checkOutput(back []returned) error {
	items := make([]*krm.Object, len(back))
	for i, r := range back {
		items[i] = r.now
	}
	if err := checkKRM("output", items); err != nil {
		return err
	}
	type place struct{ pkg, file, index string }
	taken := make(map[place]bool, len(items))
	for i, o := range items {
		owner := o.Annotation(krm.PackagePathAnnotation)
		if !p.encloses(owner) {
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
		if taken[at] {
			return fmt.Errorf("resource at path %q and index %q already exists", file, index)
		}
		taken[at] = true
	}
	return nil
}

// checkKRM refuses items without apiVersion, kind or name, except kustomizations, which have none.
func checkKRM(which string, items []*krm.Object) error {
	for _, o := range items {
		if missing := notKRM(o); missing != "" {
			return fmt.Errorf("%s resource list must contain only KRM resources: %s: resource must have %s",
				which, o.File(), missing)
		}
	}
	return nil
}

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
