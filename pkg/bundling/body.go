package bundling

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// body is the spec of a work. Works of several clusters may share it. Its nodes are made when a reader asks for them; the
// text is written without them.
type body struct {
	*group
	values  []string // of the templates of all objects in batch; nil if these have their own
	entries []handOverEntry

	making sync.Once
	spec   *yaml.Node
}

var _ krm.Deferred = (*body)(nil)

// Node is the spec.
func (b *body) Node() *yaml.Node {
	b.making.Do(func() { b.spec = b.workSpec() })
	return b.spec
}

// AppendText appends the text of the spec.
func (b *body) AppendText(dst []byte) (_ []byte, err error) {
	dst = append(slices.Grow(dst, b.size()), manifest.ManifestsHead...)
	for s := range b.objects() {
		if dst, err = s.appendTo(dst); err != nil {
			return dst, err
		}
	}
	for _, e := range b.entries {
		dst = append(dst, e.text...)
	}
	head := manifest.ConfigsHead
	for _, c := range b.configs() {
		dst = append(append(dst, head...), c.Text...)
		head = ""
	}
	return b.deleteOption().AppendText(dst), nil
}

// objects are the objects of the work as its cluster receives them.
func (b *body) objects() iter.Seq[shippedObject] {
	return func(yield func(shippedObject) bool) {
		rest := b.values
		for _, s := range b.batch {
			if rest != nil && s.template != nil {
				s.values, rest = rest[:len(s.leaves)], rest[len(s.leaves):]
			}
			if !yield(s) {
				return
			}
		}
	}
}

// configs are the manifestConfigs of the work: those of single objects first, because agents take the first that matches.
func (b *body) configs() (all []*manifestconfig.Config) {
	for _, s := range b.batch {
		if s.config != nil {
			all = append(all, s.config)
		}
	}
	for _, e := range b.entries {
		all = append(all, e.config)
	}
	return append(all, b.kindConfigs...)
}

// size estimates how much AppendText appends.
func (b *body) size() int {
	total := len(manifest.ManifestsHead) + len(manifest.ConfigsHead)
	for s := range b.objects() {
		total += s.layout.Size(s.values)
	}
	for _, e := range b.entries {
		total += len(e.text)
	}
	for _, c := range b.configs() {
		total += len(c.Text)
	}
	for _, r := range b.deleteOption().Rules {
		total += len(r.Text)
	}
	return total
}

// sent is the size of the objects, entries and configs in the JSON that is sent.
func (b *body) sent() (total int) {
	for s := range b.objects() {
		total += s.weight().Sent()
	}
	for _, e := range b.entries {
		total += e.sent
	}
	for _, c := range b.kindConfigs {
		total += c.Length + 1
	}
	return total
}

// workSpec is the spec as nodes.
func (b *body) workSpec() *yaml.Node {
	manifests, configs := manifest.List(), manifest.List()
	for s := range b.objects() {
		manifests.Content = append(manifests.Content, s.node())
	}
	for _, e := range b.entries {
		manifests.Content = append(manifests.Content, e.node)
	}
	for _, c := range b.configs() {
		configs.Content = append(configs.Content, c.Node)
	}
	// deleteOption comes last: most earlier works do not have it, and a tool that adds a field adds it at the end.
	spec := manifest.Map("workload", manifest.Map("manifests", manifests))
	if len(configs.Content) > 0 {
		krm.SetField(spec, "manifestConfigs", configs)
	}
	if option := b.deleteOption(); option.Policy != "" {
		krm.SetField(spec, manifest.DeleteOptionField, option.Node())
	}
	return spec
}

// refuseTooLarge reports an object that is too large for any work. It drops the values of its templates
// at once: those of a thousand such objects would fill the memory before the last is reported.
func (b *bundler) refuseTooLarge(s shipment, item *shippedObject) {
	if size, limit, option := b.opts.limits().TooLarge(item.weight()); option != "" && !s.broken[item.id] {
		if once := (fault{item.source, option}); !b.reported[once] { // another Binding may ship it in another size
			b.reported[once] = true
			b.fail(item.source, fmt.Errorf("takes %d bytes as it ships, more than the %d that %s allows", size, limit, option))
		}
		s.broken[item.id] = true
	}
	if s.broken[item.id] {
		item.values = nil
	}
}

// kindConfigsOf are the configs of the kinds of a work's objects, by resource.
func kindConfigsOf(batch []shippedObject) (out []*manifestconfig.Config) {
	for _, s := range batch {
		if s.kindConfig != nil && !slices.Contains(out, s.kindConfig) {
			out = append(out, s.kindConfig)
		}
	}
	slices.SortFunc(out, func(a, b *manifestconfig.Config) int {
		return cmp.Or(cmp.Compare(a.Resource.Group, b.Resource.Group), cmp.Compare(a.Resource.Resource, b.Resource.Resource))
	})
	return out
}
