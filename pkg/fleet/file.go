package fleet

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// file is a file that may deliver something.
type file struct {
	path    string
	blob    *pkgtree.Blob
	cluster string   // whose folder it lies in, "" for none
	scanned *scanned // nil if only a parser can take it apart
	counts  []clusterCount
	works   []work
}

// work is the name of a work, in the namespace of its cluster.
type work struct{ cluster, name string }

// clusterCount is how many objects a file delivers to a cluster.
type clusterCount struct {
	cluster  string
	objects  int
	handOver int // entries, which are no objects of it
}

func containsWork(b *pkgtree.Blob) bool { return contains(b, manifestwork.Kind) }

func contains(b *pkgtree.Blob, text string) (found bool) {
	b.View(func(data []byte) { found = bytes.Contains(data, []byte(text)) })
	return found
}

// scan takes the file apart, and counts what it delivers. like is a work that is probably like it, or nil.
func (f *file) scan(known *contents, like *scanned) error {
	f.blob.View(func(data []byte) { f.scanned = known.scan(data, like) })
	if w := f.scanned; w != nil && w.handOver == 0 {
		f.counts, f.works = []clusterCount{{cluster: w.cluster, objects: len(w.items)}}, []work{{w.cluster, w.work}}
		return nil
	}
	all, err := f.deliveries(false)
	for _, d := range all {
		i := slices.IndexFunc(f.counts, func(l clusterCount) bool { return l.cluster == d.Cluster })
		if i < 0 {
			i, f.counts = len(f.counts), append(f.counts, clusterCount{cluster: d.Cluster})
		}
		switch {
		case d.Itself:
			f.works = append(f.works, work{d.Cluster, d.Work})
		case d.HandOver:
			f.counts[i].handOver++
		default:
			f.counts[i].objects++
		}
	}
	return err
}

// sameAs reports whether both files deliver the same objects to the same clusters; other may be nil.
func (f *file) sameAs(other *file) bool {
	switch {
	case other == nil || f == other:
		return other != nil
	case f.scanned != nil && other.scanned != nil:
		return f.scanned.sameAs(other.scanned)
	}
	return f.cluster == other.cluster && f.blob.Equal(other.blob)
}

// mentions reports whether the file may hold a text.
func (f *file) mentions(text string) bool {
	return f.scanned != nil || contains(f.blob, text) // items of a scanned work are searched one by one
}

// deliveries are what f delivers, in order. Unless thorough, works that are written as the bundler writes them are scanned,
// not parsed.
func (f *file) deliveries(thorough bool) ([]Delivery, error) {
	if f.scanned != nil && !thorough {
		return f.scanned.deliveries(f.path), nil
	}
	objects, err := krm.Read(f.path, f.blob.Data(), krm.Limits{})
	if err != nil {
		return nil, err
	}
	var out []Delivery
	for _, o := range objects {
		o.ExpandAliases()
		if o.IsLocalConfig() && manifestwork.Items(o.Node()) != nil {
			continue
		}
		for _, one := range manifestwork.Flatten(o.Node()) {
			found, err := f.open(krm.FromNode(one.Node))
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

func (f *file) open(o *krm.Object) ([]Delivery, error) {
	if o.Node().Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s: an item of a list is no object (a mapping of fields)", f.path)
	}
	if o.Is(manifestwork.Group, manifestwork.Kind) {
		return f.openWork(o)
	}
	if f.cluster == "" || !ships(o) {
		return nil, nil
	}
	c, err := contentOf(o)
	return []Delivery{{Holder: &Holder{Cluster: f.cluster, File: f.path}, Content: c}}, err
}

func (f *file) openWork(o *krm.Object) (out []Delivery, err error) {
	d := Delivery{Holder: &Holder{Cluster: o.Namespace(), Work: o.Name(), Binding: o.Labels()[control.OriginBindingLabel], File: f.path,
		settings: manifestwork.SettingsOf(o)}}
	var starts []int // of manifests, which may be lists
	if list := o.Lookup("spec", "workload", "manifests"); list != nil && list.Kind == yaml.SequenceNode {
		for i, n := range list.Content {
			starts = append(starts, len(out))
			for _, one := range manifestwork.Flatten(n) {
				if one.Node.Kind != yaml.MappingNode {
					return nil, fmt.Errorf("%s: work %s/%s: manifest %d is no object (a mapping of fields)", f.path, d.Cluster, d.Work, i+1)
				}
				if d.Content, err = contentOf(krm.FromNode(krm.SelfContained(one.Node))); err != nil {
					return nil, fmt.Errorf("%s: work %s/%s: %w", f.path, d.Cluster, d.Work, err)
				}
				out = append(out, d)
			}
		}
	}
	if text, marked := o.Annotations()[fn.HandOver]; marked {
		last, err := manifestwork.ParseHandOver(text, len(starts))
		if err != nil {
			return nil, fmt.Errorf("%s: work %s/%s: %w", f.path, d.Cluster, d.Work, err)
		}
		if last > 0 {
			markEntries(out, len(out)-starts[len(starts)-last])
		}
	}
	bare := o.DeepCopy()
	if workload := bare.Lookup("spec", "workload"); workload != nil {
		krm.RemoveField(workload, "manifests")
	}
	krm.RemoveField(bare.Lookup("metadata"), "namespace")
	d.Itself = true
	d.Content, err = contentOf(bare)
	return append(out, d), err
}
