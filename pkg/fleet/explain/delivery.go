package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// delivery is one object that a cluster receives.
type delivery struct {
	fleet.Delivery
	id     krm.ID
	object *krm.Object
	pack   *renderedPackage // nil if it is in no package
	item   *krm.Object      // the work, or the object itself, as rendered; nil if no step read it
	nth    int              // index among the manifests of that identity in its work
	made   *producer        // how the bundler made it; nil for others
}

// producer is how the bundler made a manifest.
type producer struct {
	*bundling.Explained
	trace   int
	cluster string
}

// deliveries is what a cluster receives, without works themselves and hand-over entries.
func (s *Snapshot) deliveries(cluster string) (out []*delivery, err error) {
	all, err := s.fleet.Delivered(cluster)
	if err != nil {
		return nil, err
	}
	seen := map[string]int{}
	for _, one := range all {
		if one.Itself || one.HandOver {
			continue
		}
		d := &delivery{Delivery: one}
		if d.object, err = one.Content.Object(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.file(one.File), err)
		}
		d.id = d.object.ID()
		key := one.File + "\x00" + one.Work + "\x00" + d.id.String()
		d.nth, seen[key] = seen[key], seen[key]+1
		d.locate(s)
		out = append(out, d)
	}
	return out, nil
}

// locate finds the item that d was read from, and how it was made.
func (d *delivery) locate(s *Snapshot) {
	if d.pack = s.packageOf(d.File); d.pack == nil {
		return
	}
	for _, o := range d.pack.files[strings.TrimPrefix(strings.TrimPrefix(d.File, d.pack.Folder), "/")] {
		if d.Work == "" && carries(o.Node(), d.id) ||
			d.Work != "" && o.Is(manifestwork.Group, manifestwork.Kind) && o.Name() == d.Work && o.Namespace() == d.Cluster {
			d.item = o
			d.made = d.pack.producerOf(d)
			return
		}
	}
}

// producerOf finds the step that bundled d: the last one whose output holds the work of d, if bundling again gives the same
// manifest.
func (p *renderedPackage) producerOf(d *delivery) *producer {
	if d.Work == "" || d.item.Annotation(fn.GeneratedBy) != "bundle-manifestwork" {
		return nil
	}
	for i := len(p.Result.Traces) - 1; i >= 0; i-- {
		t := &p.Result.Traces[i]
		if functionName(t) != "bundle-manifestwork" {
			continue
		}
		work := p.versionBefore(d.item, i+1)
		if work == nil || !slices.Contains(t.After, work) {
			continue
		}
		manifest, _ := d.manifest(work)
		for _, x := range p.shippedTo(i, d.Cluster) {
			if x.Binding.Name() == d.Binding && manifest != nil && x.Sent.ID() == krm.FromNode(manifest).ID() &&
				krm.Equivalent(x.Sent.Node(), manifest) {
				return &producer{&x, i, d.Cluster}
			}
		}
		return nil
	}
	return nil
}

// versionBefore is o after that many steps; nil if it did not exist.
func (p *renderedPackage) versionBefore(o *krm.Object, steps int) *krm.Object {
	var now *krm.Object
	for _, v := range p.history(o, len(p.Result.Traces)) {
		if v.trace < steps {
			now = v.object
		}
	}
	return now
}

// shippedTo is what a step bundled for a cluster; it is computed once.
func (p *renderedPackage) shippedTo(trace int, cluster string) []bundling.Explained {
	key := shippedKey{trace, cluster}
	if known, ok := p.shipped[key]; ok {
		return known
	}
	t := &p.Result.Traces[trace]
	found, err := bundling.Explain(&fn.Input{Items: t.Given, Config: t.Config}, cluster)
	if err != nil { // another release of the function accepted input that this one refuses
		found = nil
	}
	p.shipped[key] = found
	return found
}

// manifest is d in a version of its work, and the path to it, or the object itself; nil if the work does not hold it.
func (d *delivery) manifest(o *krm.Object) (*yaml.Node, Path) {
	above, roots := Path(nil), []*yaml.Node{o.Node()}
	if d.Work != "" {
		list := o.Lookup("spec", "workload", "manifests")
		if list == nil || list.Kind != yaml.SequenceNode {
			return nil, nil
		}
		above, roots = names("spec", "workload", "manifests"), list.Content
	}
	nth := 0
	for i, root := range roots {
		way := above
		if d.Work != "" {
			way = below(above, step{name: strconv.Itoa(i), boxed: true})
		}
		for _, one := range manifestwork.Flatten(krm.Deref(root)) {
			if d.Work == "" && len(one.Path) == 0 { // also under an earlier name
				return one.Node, nil
			}
			if one.Node.Kind != yaml.MappingNode || krm.FromNode(one.Node).ID() != d.id {
				continue
			}
			if nth == d.nth {
				for i, name := range one.Path {
					way = below(way, step{name: name, boxed: i%2 == 1})
				}
				return one.Node, way
			}
			nth++
		}
	}
	return nil, nil
}

func carries(n *yaml.Node, id krm.ID) bool {
	return slices.ContainsFunc(manifestwork.Flatten(n), func(one manifestwork.Item) bool {
		return one.Node.Kind == yaml.MappingNode && krm.FromNode(one.Node).ID() == id
	})
}

// source is the object of the package that d is made of, and how many steps had run before.
func (d *delivery) source() (o *krm.Object, steps int) {
	switch {
	case d.made != nil:
		return d.made.Source, d.made.trace
	case d.item != nil:
		return d.item, len(d.pack.Result.Traces)
	}
	return nil, 0
}
