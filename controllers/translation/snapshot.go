package translation

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

// snapshot has the Translations of the cluster, by namespace/name.
type snapshot map[string]*observed

// observed is one Translation.
type observed struct {
	object   *unstructured.Unstructured // of the cache: it must not be changed
	deleting bool
}

// version changes when what a Translation requests may change.
func (o *observed) version() string {
	if o == nil {
		return "gone"
	}
	return fmt.Sprintf("%s/%d/%t", o.object.GetUID(), o.object.GetGeneration(), o.deleting)
}

func (r *reconciler) observe(ctx context.Context) (snapshot, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation + "List"))
	if err := r.cache.List(ctx, list, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("list the Translations: %w", err)
	}
	out := snapshot{}
	for i := range list.Items {
		obj := &list.Items[i]
		out[client.ObjectKeyFromObject(obj).String()] = &observed{obj, obj.GetDeletionTimestamp() != nil}
	}
	return out, nil
}

// desired is what a Translation requests: nothing if it is being deleted. The error says what cannot be read.
func (o *observed) desired() (plan.Translation, error) {
	out := plan.Translation{Namespace: o.object.GetNamespace(), Name: o.object.GetName()}
	if o.deleting {
		return out, nil
	}
	list, ok := o.object.Object["resources"].([]any)
	if there := o.object.Object["resources"]; there != nil && !ok {
		return out, errors.New("resources: want a list")
	}
	for i, item := range list {
		fields, ok := item.(map[string]any)
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

// unchanged keeps what the backend has of a Translation.
func unchanged(key string) plan.Translation {
	namespace, name, _ := strings.Cut(key, "/")
	return plan.Translation{Namespace: namespace, Name: name, Keep: true}
}
