package bundling

import (
	"fmt"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// body is what one work holds, its spec. Works for several clusters may share it. It is nodes only
// when somebody looks; to be written it needs none.
type body struct {
	number int // of the work
	batch  []shipped

	making sync.Once
	spec   *yaml.Node
}

var _ krm.Deferred = (*body)(nil)

// Node is the spec.
func (b *body) Node() *yaml.Node {
	b.making.Do(func() { b.spec = workSpec(b.batch) })
	return b.spec
}

// AppendText appends the spec as it is written.
func (b *body) AppendText(dst []byte) (_ []byte, err error) {
	dst = append(slices.Grow(dst, b.size()), manifestsHead...)
	for _, s := range b.batch {
		if dst, err = s.appendTo(dst); err != nil {
			return dst, err
		}
	}
	if slices.ContainsFunc(b.batch, func(s shipped) bool { return s.config != nil }) {
		dst = append(dst, configsHead...)
	}
	for _, s := range b.batch {
		if s.config != nil {
			dst = append(dst, s.config.text...)
		}
	}
	return dst, nil
}

// size is about how much AppendText appends.
func (b *body) size() int {
	total := len(manifestsHead) + len(configsHead)
	for _, s := range b.batch {
		if total += s.layout.size(s.values); s.config != nil {
			total += len(s.config.text)
		}
	}
	return total
}

// workSpec is the body of a work with those manifests, in that order.
func workSpec(batch []shipped) *yaml.Node {
	manifests, configs := listNode(), listNode()
	for _, s := range batch {
		manifests.Content = append(manifests.Content, s.node())
		if s.config != nil {
			configs.Content = append(configs.Content, s.config.node)
		}
	}
	spec := fields("workload", fields("manifests", manifests))
	if len(configs.Content) > 0 {
		krm.SetField(spec, "manifestConfigs", configs)
	}
	return spec
}

// bodies divides what goes to a cluster into works, ordered by number.
func bodies(load []shipped, numbers []int) (out []*body) {
	if !slices.IsSorted(numbers) {
		load, numbers = byNumber(load, numbers)
	}
	start := 0
	for i := range load {
		if i+1 == len(load) || numbers[i+1] != numbers[i] {
			out = append(out, &body{number: numbers[i], batch: load[start : i+1]})
			start = i + 1
		}
	}
	return out
}

// byNumber is load by number of work, and what goes to one work in the order it was in.
func byNumber(load []shipped, numbers []int) ([]shipped, []int) {
	order := make([]int, len(load))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return numbers[a] - numbers[b] })
	sorted, itsNumbers := make([]shipped, len(load)), make([]int, len(load))
	for i, from := range order {
		sorted[i], itsNumbers[i] = load[from], numbers[from]
	}
	return sorted, itsNumbers
}

// refuseTooLarge reports an object that is too large for any work. What its templates gave is let go
// at once: a thousand such objects would fill the memory before the last is reported.
func (b *bundler) refuseTooLarge(s shipment, item *shipped) {
	if size, limit, option := b.opts.limits().tooLarge(item.length); option != "" && !s.broken[item.id] {
		b.fail(item.source, fmt.Errorf("takes %d bytes as it ships, more than the %d that %s allows", size, limit, option))
		s.broken[item.id] = true
	}
	if s.broken[item.id] {
		item.values = nil
	}
}
