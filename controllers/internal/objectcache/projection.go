package objectcache

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func nameOf(o *unstructured.Unstructured) string { return o.GetNamespace() + "/" + o.GetName() }

// Projection reduces an object to what its readers use. Other changes do not enqueue them.
type Projection func(*unstructured.Unstructured) (*projected, error)

// ForInjection keeps what can be injected from an object, in the form of a file.
func ForInjection(o *unstructured.Unstructured) (*projected, error) {
	fields := map[string]any{}
	for _, field := range []string{"spec", "data"} {
		if value, ok := o.Object[field]; ok {
			fields[field] = value
		}
	}
	return project(o, map[string]any{}, fields)
}

// ForSelection keeps what selectors and templates of PackageVariantSets use.
func ForSelection(o *unstructured.Unstructured) (*projected, error) {
	meta := map[string]any{}
	if labels := o.GetLabels(); len(labels) > 0 {
		meta["labels"] = labels
	}
	if annotations := o.GetAnnotations(); len(annotations) > 0 {
		meta["annotations"] = annotations
	}
	return project(o, meta, map[string]any{})
}

// project keeps these metadata and fields, and the object's identity.
func project(o *unstructured.Unstructured, meta, fields map[string]any) (*projected, error) {
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
	return &projected{krm.FromNode(node), string(text)}, nil
}
