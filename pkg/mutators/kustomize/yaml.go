package kustomize

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// maxNesting is krm's own limit.
const maxNesting = 200

// yaml counts what a text of YAML or JSON holds, with aliases as what they stand for.
func (w *walk) yaml(name string, text []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: not valid YAML: %w", name, err)
		}
		c := counter{seen: map[*yaml.Node]int{}, grows: &w.grows}
		n, err := c.count(&doc, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		w.values += n
		w.documents++
		if len(doc.Content) > 0 {
			w.grows.document(textOf(doc.Content[0], "kind"), c.bytes)
			w.secrets.object(doc.Content[0])
		}
		if err := w.check(name); err != nil {
			return err
		}
	}
}

// yamlIfAny is yaml for a text that may be something else.
func (w *walk) yamlIfAny(name string, text []byte) error {
	before := w.documents
	if err := w.yaml(name, text); err != nil && !strings.Contains(err.Error(), "not valid YAML") {
		return err
	}
	w.documents = max(before, w.documents)
	return w.check(name)
}

// counter counts the values of one document.
type counter struct {
	seen  map[*yaml.Node]int // of nodes that aliases stand for; -1 while they are counted
	bytes int                // without what aliases stand for
	grows *growth
}

func (c *counter) count(n *yaml.Node, depth int) (int, error) {
	if depth > maxNesting {
		return 0, fmt.Errorf("line %d: is nested more than %d levels deep", n.Line, maxNesting)
	}
	if n.Kind == yaml.AliasNode {
		known, ok := c.seen[n.Alias]
		if known < 0 {
			return 0, fmt.Errorf("line %d: the alias %q is a part of what it stands for", n.Line, n.Value)
		}
		if ok {
			return known, nil
		}
		return c.count(n.Alias, depth)
	}
	c.seen[n] = -1
	total := 1
	for _, below := range n.Content {
		size, err := c.count(below, depth+1)
		if err != nil {
			return 0, err
		}
		if total += size; total > maxValues {
			return 0, fmt.Errorf("line %d: holds more than %d values, with aliases as what they stand for", n.Line, maxValues)
		}
	}
	c.seen[n] = total
	c.bytes += len(n.Value) + 1
	c.grows.node(n)
	return total, checkPaths(n)
}

// checkPaths refuses the path of a field that is deeper than any object: kustomize makes the fields on the way.
func checkPaths(n *yaml.Node) error {
	for key, value := range krm.Fields(n) {
		switch strings.ToLower(key.Value) {
		case "path", "fieldpath", "fieldpaths":
			value = krm.Deref(value)
			for _, text := range append([]*yaml.Node{value}, value.Content...) {
				if strings.Count(krm.Deref(text).Value, ".")+strings.Count(krm.Deref(text).Value, "/") > maxNesting {
					return fmt.Errorf("line %d: a path is more than %d levels deep", key.Line, maxNesting)
				}
			}
		}
	}
	return nil
}

// textOf is the text of a field of a map.
func textOf(n *yaml.Node, name string) string {
	if !krm.IsMap(n) {
		return ""
	}
	return krm.Text(n, name)
}
