package bundling

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// payload is an object of a Binding as it ships: transformed, in normal form, measured, written.
// All works that hold it share it; it does not change.
type payload struct {
	bindings.Entry
	source *krm.Object     // the object in the package, for results
	id     krm.ID          // of the source, with the namespace that it ships to
	object *krm.Object     // as it ships, with templates not expanded
	sentID krm.ID          // of object
	length int             // of its compact JSON
	layout manifest.Layout // its text

	template    *expansion.Template // nil when it is the same for every cluster
	templateErr error               // why it cannot be expanded for any cluster
	leaves      []manifest.Leaf     // the strings of object that are templates
	renamed     bool                // its identity depends on the cluster
	headVaries  bool                // its type or metadata does, which a hub checks

	instructions instructions // empty if they depend on the cluster
}

// contents is the part of a payload that all Bindings share.
type contents struct {
	payload
	digest string
	err    error
}

// contentsKey is what contents depend on besides options.
type contentsKey struct {
	source *krm.Object
	named  workload.Entry
}

// payload makes the payload for e, an entry of bd. Its contents are made once for all Bindings.
func (b *bundler) payload(bd bindings.Binding, e bindings.Entry) (*payload, error) {
	o, err := b.sources.Find(e)
	if err != nil {
		return nil, err
	}
	key := contentsKey{o, e.Entry}
	c, done := b.contents[key]
	if !done {
		c = b.prepare(o, e)
		b.contents[key] = c
	}
	if e.Digest != "" && e.Digest != c.digest {
		return nil, fmt.Errorf("%s was resolved at version %q and is at version %q now; %s", e, e.Digest, c.digest, bindings.ResolveFirst)
	}
	if c.err != nil {
		return nil, fmt.Errorf("%s: %w", e, c.err)
	}
	p := c.payload
	p.Entry = e
	if !p.renamed {
		if p.instructions, err = b.instruct(bd, e, o, p.object, e.Resource); err != nil {
			b.fail(o, err)
		}
	}
	return &p, nil
}

// prepare transforms a copy of o, measures and writes it.
func (b *bundler) prepare(o *krm.Object, e bindings.Entry) (c contents) {
	c.digest = transform.Digest(o, e.Namespace, e.Group, e.Resource, b.transforms)
	ready := o.DeepCopy()
	transform.Clean(ready, transform.Options{NullNodePorts: b.opts.NullNodePorts})
	if b.opts.CustomTransforms == apply {
		b.transforms.Apply(ready, e.Group, e.Resource)
	}
	b.warnManualSelector(o, ready)
	ready = transform.Ship(ready, e.Namespace)
	c.source, c.object = o, krm.FromNode(manifest.Normalize(ready.Node()))
	manifest.QuoteHead(c.object.Node())
	b.refuseBareWords(o, c.object.Node())
	c.sentID = c.object.ID()
	c.id = krm.ID{Group: o.Group(), Kind: o.Kind(), Namespace: e.Namespace, Name: o.Name()}
	if c.length, c.err = manifest.JSONSize(c.object.Node()); c.err != nil {
		return c
	}
	if c.template, c.templateErr = expansion.Compile(c.object, expansion.Ref(c.object)); c.template != nil {
		c.leaves = manifest.Leaves(c.template, c.object.Node())
		c.renamed, c.headVaries = c.hasTemplate(manifest.Leaf.InIdentity), c.hasTemplate(manifest.Leaf.InHead)
	}
	if c.layout, c.err = manifest.NewLayout(c.object.Node(), c.template, c.leaves); c.err == nil && !c.headVaries {
		c.err = manifest.Validate(c.object)
	}
	return c
}

// refuseBareWords reports bare words outside of type and metadata. Only a schema knows what the author
// meant, and functions and clusters must not read a work differently.
func (b *bundler) refuseBareWords(o *krm.Object, n *yaml.Node) {
	manifest.EachBareWord(n, nil, func(at *field.Path, word string) {
		b.report(sdk.Error, o, at,
			"%s without quotes is text to functions and a boolean to clusters; put it into quotes, or write true or false", word)
	})
}

// hasTemplate reports whether a template of p is at a place for which where is true.
func (p *payload) hasTemplate(where func(manifest.Leaf, *yaml.Node) bool) bool {
	return slices.ContainsFunc(p.leaves, func(l manifest.Leaf) bool { return where(l, p.object.Node()) })
}

// warnManualSelector warns of a Job with manualSelector. Cleaning removes the selector, as KubeStellar does, and no API
// server accepts the rest.
func (b *bundler) warnManualSelector(o, cleaned *krm.Object) {
	n := cleaned.Lookup("spec", "manualSelector")
	if o.APIVersion() != "batch/v1" || o.Kind() != "Job" || n == nil || n.ShortTag() != yaml.NodeTagBool {
		return
	}
	if manual, err := krm.Value(n); err == nil && manual == true {
		b.report(sdk.Warning, o, field.NewPath("spec", "manualSelector"),
			"a Job ships without its selector, and with manualSelector clusters refuse it; leave manualSelector out, or ship a CronJob")
	}
}

// customized reports whether p differs from cluster to cluster.
func (p *payload) customized() bool { return p.template != nil || p.templateErr != nil }
