package pusher

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// view is what the cluster says, by namespace/name.
type view map[string]*seen

// seen is one Translation.
type seen struct {
	object    *unstructured.Unstructured // of the cache: not to be changed
	namespace string
	name      string
	dying     bool
}

// version tells what a Translation asks for from what it asked for before.
func (s *seen) version() string {
	if s == nil {
		return "gone"
	}
	return fmt.Sprintf("%s/%d/%t", s.object.GetUID(), s.object.GetGeneration(), s.dying)
}

// look is what the cluster says now.
func (p *passes) look(ctx context.Context) (view, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation + "List"))
	if err := p.known.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("look at the Translations: %w", err)
	}
	out := view{}
	for i := range list.Items {
		o := &list.Items[i]
		out[o.GetNamespace()+"/"+o.GetName()] = &seen{o, o.GetNamespace(), o.GetName(), o.GetDeletionTimestamp() != nil}
	}
	return out, nil
}

// ask is what a Translation asks for. The error says why that cannot be told.
func (s *seen) ask() (plan.Translation, error) {
	out := plan.Translation{Namespace: s.namespace, Name: s.name}
	list, ok := s.object.Object["resources"].([]any)
	if there := s.object.Object["resources"]; there != nil && !ok {
		return out, errors.New("resources: want a list")
	}
	for i, r := range list {
		fields, ok := r.(map[string]any)
		if !ok {
			return out, fmt.Errorf("resources[%d]: want a map", i)
		}
		var text [3]string
		for at, name := range []string{"kind", "parent", "body"} {
			if v := fields[name]; v != nil {
				if text[at], ok = v.(string); !ok {
					return out, fmt.Errorf("resources[%d].%s: want text", i, name)
				}
			}
		}
		out.Resources = append(out.Resources, table.Resource{Kind: text[0], Parent: text[1], Body: text[2]})
	}
	return out, nil
}

// asIs asks for what a Translation has to stay as it is: a resource that no table can have is a problem of
// its Translation, and keeps what there is of it.
func asIs(key string) plan.Translation {
	namespace, name, _ := strings.Cut(key, "/")
	return plan.Translation{Namespace: namespace, Name: name, Resources: []table.Resource{{}}}
}
