package bundling

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/customize"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// parcel is one object of a Binding, ready to ship: transformed, in normal form, measured. It is
// shared by all works that hold it and not changed.
type parcel struct {
	entry
	source *krm.Object // as it stands in the package, for reports
	id     krm.ID      // of the source, with the namespace that it ships to
	object *krm.Object // as it ships, to one cluster if it is a template
	length int         // of its compact JSON

	template    *customize.Template // nil when it is the same for every cluster
	templateErr error               // why it cannot be expanded for any cluster
	leaves      []leaf              // the strings of object that are templates
}

// contents is the part of a parcel that every Binding shares.
type contents struct {
	parcel
	digest string
	err    error
}

// contentsKey says what contents depend on besides options.
type contentsKey struct {
	source                     *krm.Object
	group, resource, namespace string
}

// parcel makes the parcel for e. The work behind it is done once for all Bindings.
func (b *bundler) parcel(e entry) (parcel, error) {
	o, err := b.sources.find(e)
	if err != nil {
		return parcel{}, err
	}
	key := contentsKey{o, e.group, e.resource, e.namespace}
	c, done := b.contents[key]
	if !done {
		c = b.pack(o, e)
		b.contents[key] = c
	}
	if e.digest != "" && e.digest != c.digest {
		return parcel{}, fmt.Errorf("%s was resolved at version %q and is at version %q now; %s", e, e.digest, c.digest, resolveFirst)
	}
	if c.err != nil {
		return parcel{}, fmt.Errorf("%s: %w", e, c.err)
	}
	p := c.parcel
	p.entry = e
	return p, nil
}

// pack transforms a copy of o and measures it.
func (b *bundler) pack(o *krm.Object, e entry) (c contents) {
	c.digest = transform.Digest(o, e.namespace, e.group, e.resource, b.transforms)
	ready := o.DeepCopy()
	transform.Clean(ready, transform.Options{NullNodePorts: b.opts.NullNodePorts})
	if b.opts.CustomTransforms == apply {
		b.transforms.Apply(ready, e.group, e.resource)
	}
	ready = transform.Ship(ready, e.namespace)
	c.source, c.object = o, krm.FromNode(normal(ready.Node()))
	c.id = krm.ID{Group: o.Group(), Kind: o.Kind(), Namespace: e.namespace, Name: o.Name()}
	c.length, c.err = jsonSize(c.object.Node())
	c.template, c.templateErr = customize.Compile(c.object, customize.Ref(c.object))
	if c.template != nil {
		c.leaves = templateLeaves(c.object.Node(), nil)
	}
	return c
}

// customized reports whether p differs from cluster to cluster.
func (p parcel) customized() bool { return p.template != nil || p.templateErr != nil }

// namedByTemplate reports whether even the identity of p depends on the cluster.
func (p parcel) namedByTemplate() bool {
	return p.template != nil && strings.Contains(p.object.ID().String(), "{{")
}

// expand is p for one cluster. The name is checked after expansion: a hub takes no object without.
func (p parcel) expand(cluster string, properties map[string]string) (parcel, []error) {
	if p.templateErr != nil {
		return p, []error{p.templateErr}
	}
	if p.template == nil {
		return p, nil
	}
	o, errs := p.template.Expand(cluster, properties)
	if len(errs) > 0 {
		return p, errs
	}
	if o.Name() == "" || o.Kind() == "" || o.APIVersion() == "" {
		return p, []error{fmt.Errorf("template: %s/%s leaves apiVersion, kind or metadata.name empty", cluster, customize.Ref(p.object))}
	}
	p.object = o
	for _, l := range p.leaves {
		p.length += l.settle(o.Node())
	}
	return p, nil
}
