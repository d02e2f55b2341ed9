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

// body is what one work holds, its spec. Works for several clusters may share it. It is nodes only
// when somebody looks; to be written it needs none.
type body struct {
	number      int // of the work
	batch       []shippedObject
	entries     []handOverEntry
	kindConfigs []*manifestconfig.Config

	making sync.Once
	spec   *yaml.Node
}

var _ krm.Deferred = (*body)(nil)

// Node is the spec.
func (b *body) Node() *yaml.Node {
	b.making.Do(func() { b.spec = b.workSpec() })
	return b.spec
}

// AppendText appends the spec as it is written.
func (b *body) AppendText(dst []byte) (_ []byte, err error) {
	dst = append(slices.Grow(dst, b.size()), manifest.ManifestsHead...)
	for _, s := range b.batch {
		if dst, err = s.appendTo(dst); err != nil {
			return dst, err
		}
	}
	for _, e := range b.entries {
		dst = append(dst, e.text...)
	}
	head := manifest.ConfigsHead
	for c := range b.configs() {
		dst = append(append(dst, head...), c.Text...)
		head = ""
	}
	if option := b.deleteOption(); option != nil {
		text, err := deleteOptionText(option)
		if err != nil {
			return dst, err
		}
		dst = append(dst, text...)
	}
	return dst, nil
}

// configs yields what the work says about its objects: about single ones first, because agents take the
// first config that fits.
func (b *body) configs() iter.Seq[*manifestconfig.Config] {
	return func(yield func(*manifestconfig.Config) bool) {
		for _, s := range b.batch {
			if s.config != nil && !yield(s.config) {
				return
			}
		}
		for _, e := range b.entries {
			if !yield(e.config) {
				return
			}
		}
		for _, c := range b.kindConfigs {
			if !yield(c) {
				return
			}
		}
	}
}

// size is about how much AppendText appends.
func (b *body) size() int {
	total := len(manifest.ManifestsHead) + len(manifest.ConfigsHead)
	for _, s := range b.batch {
		total += s.layout.Size(s.values)
	}
	for _, e := range b.entries {
		total += len(e.text)
	}
	for c := range b.configs() {
		total += len(c.Text)
	}
	return total
}

// sent is how much the objects and entries take as the work is sent, and what it says about them.
func (b *body) sent() (total int) {
	for _, s := range b.batch {
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
	for _, s := range b.batch {
		manifests.Content = append(manifests.Content, s.node())
	}
	for _, e := range b.entries {
		manifests.Content = append(manifests.Content, e.node)
	}
	for c := range b.configs() {
		configs.Content = append(configs.Content, c.Node)
	}
	// deleteOption comes last: an earlier work has no such field, and what puts new fields behind those that are there agrees.
	spec := manifest.Map("workload", manifest.Map("manifests", manifests))
	if len(configs.Content) > 0 {
		krm.SetField(spec, "manifestConfigs", configs)
	}
	if option := b.deleteOption(); option != nil {
		krm.SetField(spec, manifest.DeleteOptionField, option)
	}
	return spec
}

// bodies divides what goes to a cluster into works, ordered by number.
func bodies(items []shippedObject, numbers []int) (out []*body) {
	if !slices.IsSorted(numbers) {
		items, numbers = byNumber(items, numbers)
	}
	start := 0
	for i := range items {
		if i+1 == len(items) || numbers[i+1] != numbers[i] {
			batch := items[start : i+1]
			out = append(out, &body{number: numbers[i], batch: batch, kindConfigs: kindConfigsOf(batch)})
			start = i + 1
		}
	}
	return out
}

// byNumber is items by number of work, and what goes to one work in the order it was in.
func byNumber(items []shippedObject, numbers []int) ([]shippedObject, []int) {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return numbers[a] - numbers[b] })
	sorted, itsNumbers := make([]shippedObject, len(items)), make([]int, len(items))
	for i, from := range order {
		sorted[i], itsNumbers[i] = items[from], numbers[from]
	}
	return sorted, itsNumbers
}

// refuseTooLarge reports an object that is too large for any work. What its templates gave is let go
// at once: a thousand such objects would fill the memory before the last is reported.
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

// kindConfigsOf are the general configs of a work's objects, by resource.
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
