package cluster

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func nameOf(o *unstructured.Unstructured) string { return o.GetNamespace() + "/" + o.GetName() }

// reading makes an item of an object, of what in it makes a difference.
type reading func(*unstructured.Unstructured) (*item, error)

func (c contents) add(o *unstructured.Unstructured, read reading) error {
	it, err := read(o)
	if err == nil {
		c.items[nameOf(o)] = *it
	}
	return err
}

// injectable is an object as a file would have it, of that what can be injected: a cluster's own
// bookkeeping, which changes all the time, makes no difference.
func injectable(o *unstructured.Unstructured) (*item, error) {
	kept := map[string]any{}
	for _, field := range []string{"spec", "data"} {
		if value, ok := o.Object[field]; ok {
			kept[field] = value
		}
	}
	return newItem(o, map[string]any{}, kept)
}

// selectable is what sets see of an object.
func selectable(o *unstructured.Unstructured) (*item, error) {
	meta := map[string]any{}
	if labels := o.GetLabels(); len(labels) > 0 {
		meta["labels"] = labels
	}
	if annotations := o.GetAnnotations(); len(annotations) > 0 {
		meta["annotations"] = annotations
	}
	return newItem(o, meta, map[string]any{})
}

// newItem is an object with these metadata and fields, besides its identity.
func newItem(o *unstructured.Unstructured, meta, fields map[string]any) (*item, error) {
	meta["name"] = o.GetName()
	if namespace := o.GetNamespace(); namespace != "" {
		meta["namespace"] = namespace
	}
	fields["apiVersion"], fields["kind"], fields["metadata"] = o.GetAPIVersion(), o.GetKind(), meta
	node, err := krm.NodeOf(fields)
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", o.GetKind(), nameOf(o), err)
	}
	text, err := krm.CanonicalJSON(node)
	if err != nil {
		return nil, fmt.Errorf("read %s %q: %w", o.GetKind(), nameOf(o), err)
	}
	return &item{krm.FromNode(node), string(text)}, nil
}
