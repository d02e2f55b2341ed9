package krm

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
	"github.com/waybill-dev/waybill/pkg/krm/lazy"
)

// Fits is the error of Read for data, a file that objects were written to, when it is beyond a limit. It
// does not parse data: it counts nodes, unless the text shows that they are few.
func Fits(data []byte, objects []*Object, limits Limits) error {
	l := limits.withDefaults(len(data))
	if len(data) > l.Bytes {
		return fmt.Errorf("would be %d bytes, but files of more than %d bytes are not read%s", len(data), l.Bytes, largest(objects, l))
	}
	if len(objects) > l.Documents {
		return fmt.Errorf("would hold %d objects, but at most %d are read from one file; put some of them into other files",
			len(objects), l.Documents)
	}
	shallow := isShallow(data, l)
	for _, o := range objects {
		if o.deferred() && shallow {
			continue
		}
		c := &checker{limits: l, loose: true}
		doc := o.written()
		e := c.document(doc)
		if c.node != nil {
			return fmt.Errorf("%s: %s%s; it could be written, but not read again", o.Title(),
				describeStart(stepsTo(doc.Content[0], c.node)), c.reason)
		}
		if err := l.Budget.Take(e.nodes); err != nil {
			return fmt.Errorf("%s: %w", o.Title(), err)
		}
		l.Aliased -= e.aliased
	}
	return nil
}

// largest names the object with the most nodes.
func largest(objects []*Object, l Limits) string {
	if len(objects) == 0 {
		return ""
	}
	size := func(o *Object) int {
		c := &checker{limits: l, loose: true, open: map[*yaml.Node]bool{nil: true}}
		return c.walk(o.document(), 0).bytes
	}
	most := slices.MaxFunc(objects, func(a, b *Object) int { return size(a) - size(b) })
	return fmt.Sprintf("; %s is the largest of the objects in it", most.Title())
}

// stepsTo are the steps from n to target, the last one first; nil when n does not contain target.
func stepsTo(n, target *yaml.Node) []string {
	for i, c := range n.Content {
		step := encode.StepOf(n, i)
		if c == target {
			return []string{step}
		}
		if way := stepsTo(c, target); way != nil {
			return append(way, step)
		}
	}
	return nil
}

// describeStart names the first steps of a path, which may have hundreds. It is "" for the object itself.
func describeStart(steps []string) string {
	const most = 6
	switch {
	case len(steps) == 0:
		return ""
	case len(steps) <= most:
		return encode.DescribePath(steps) + ": "
	}
	return "below " + encode.DescribePath(steps[len(steps)-most:]) + ": "
}

// around is how many levels there may be beside those that a text shows: the document, its mapping, and a key and value in the last level.
const around = 4

// isShallow reports whether the text alone shows that no document in it is too deep, too large or has an alias. A level of
// nesting needs a blank or dash at the beginning of a line, or a bracket.
func isShallow(text []byte, l Limits) bool {
	if len(text) > l.Nodes || lazy.MayHoldAlias(text) {
		return false
	}
	for line := range bytes.Lines(text) {
		if len(line)+around <= l.Depth {
			continue
		}
		indent := len(line) - len(bytes.TrimLeft(line, " -"))
		if indent+around+bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) > l.Depth {
			return false
		}
	}
	return true
}
