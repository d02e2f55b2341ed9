package starlark

import (
	"fmt"

	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// fromNode is n, which has no aliases, as a value that a script may change.
func fromNode(n *yaml.Node) (star.Value, error) {
	switch n.Kind {
	case yaml.MappingNode:
		d := star.NewDict(len(n.Content) / 2)
		if err := checkKeys(n); err != nil {
			return nil, err
		}
		for key, value := range krm.Fields(n) {
			v, err := fromNode(value)
			if err == nil {
				err = d.SetKey(star.String(key.Value), v)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key.Value, err)
			}
		}
		return d, nil
	case yaml.SequenceNode:
		items := make([]star.Value, len(n.Content))
		for i, c := range n.Content {
			v, err := fromNode(c)
			if err != nil {
				return nil, err
			}
			items[i] = v
		}
		return star.NewList(items), nil
	}
	v, err := krm.Value(n)
	if err != nil {
		return nil, err
	}
	return fromScalar(v), nil
}

// checkKeys refuses a map in which too many keys have the same hash.
func checkKeys(m *yaml.Node) error {
	if len(m.Content)/2 < largeTable {
		return nil
	}
	var keys []star.Value
	for key := range krm.Fields(m) {
		keys = append(keys, star.String(key.Value))
	}
	_, err := newBuckets(keys)
	return err
}

func fromScalar(v any) star.Value {
	switch v := v.(type) {
	case bool:
		return star.Bool(v)
	case int64:
		return star.MakeInt64(v)
	case uint64:
		return star.MakeUint64(v)
	case float64:
		return star.Float(v)
	case string:
		return star.String(v)
	}
	return star.None
}
