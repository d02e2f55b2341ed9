package mapping

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// missing asks the API server for objects by their keys, as far as they are of a type that counts, and gives
// those that are there. The others are remembered as gone until they come back.
func (p *pass) missing(ctx context.Context, keys map[string]bool, counts func(role) bool) (there []*krm.Object, err error) {
	for key := range p.memory.gone {
		if p.keys[key] {
			delete(p.memory.gone, key)
		}
	}
	byKind := map[kind][]krm.ID{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		_, id, err := correspond.ParseKey(key)
		if err != nil || p.memory.gone[key] {
			continue // the engine says what is wrong with it
		}
		for k, r := range p.ready.roles {
			if counts(r) && k.Group == id.Group && p.ready.types.Lookup(id.Group, id.Kind).Plural == k.Resource {
				byKind[k] = append(byKind[k], id)
			}
		}
	}
	const few = 20
	for _, k := range sorted(byKind) {
		ask := p.askEach
		if len(byKind[k]) > few {
			ask = p.askAll
		}
		found, err := ask(ctx, k, byKind[k])
		if apierrors.IsNotFound(err) { // a list is always found, but that of a type which is not there
			err = follow.ErrNotServed
		}
		if err != nil {
			return nil, fmt.Errorf("ask for %s: %w", k.GroupResource(), err)
		}
		there = append(there, found...)
	}
	return there, nil
}

// askEach asks for objects one by one. To list one by its name needs no other right than to follow all.
func (p *pass) askEach(ctx context.Context, k kind, ids []krm.ID) (there []*krm.Object, err error) {
	for _, id := range ids {
		list, err := p.resource(k, id.Namespace).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + id.Name})
		if err != nil {
			return nil, err
		}
		if there, err = p.found(there, list, map[krm.ID]bool{id: true}); err != nil {
			return nil, err
		}
		p.memory.gone[id.String()] = len(list.Items) == 0
	}
	return there, nil
}

// askAll asks for all objects of a type, and gives those that are looked for.
func (p *pass) askAll(ctx context.Context, k kind, ids []krm.ID) (there []*krm.Object, err error) {
	wanted := map[krm.ID]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	namespaces := map[string]bool{}
	for _, id := range ids {
		namespaces[id.Namespace] = true
	}
	if len(p.options.Namespaces) == 0 {
		namespaces = map[string]bool{metav1.NamespaceAll: true}
	}
	for _, namespace := range slices.Sorted(maps.Keys(namespaces)) {
		for o := (metav1.ListOptions{Limit: 500}); ; {
			list, err := p.resource(k, namespace).List(ctx, o)
			if err == nil {
				there, err = p.found(there, list, wanted)
			}
			if err != nil {
				return nil, err
			}
			if o.Continue = list.GetContinue(); o.Continue == "" {
				break
			}
		}
	}
	for _, o := range there {
		delete(wanted, o.ID())
	}
	for id := range wanted {
		p.memory.gone[id.String()] = true
	}
	return there, nil
}

// found adds the objects of a list that are looked for.
func (p *pass) found(there []*krm.Object, list *unstructured.UnstructuredList, wanted map[krm.ID]bool) ([]*krm.Object, error) {
	for i := range list.Items {
		o, err := objectOf(&list.Items[i])
		if err != nil {
			return nil, err
		}
		if wanted[o.ID()] {
			there = append(there, o)
		}
	}
	return there, nil
}

func (w *worker) resource(k kind, namespace string) dynamic.ResourceInterface {
	if !k.namespaced {
		return w.server.Objects.Resource(k.GroupVersionResource)
	}
	return w.server.Objects.Resource(k.GroupVersionResource).Namespace(namespace)
}

// sorted are the kinds that a map is about, in a fixed order.
func sorted[V any](m map[kind]V) []kind {
	return slices.SortedFunc(maps.Keys(m), func(a, b kind) int { return cmp.Compare(a.String(), b.String()) })
}
