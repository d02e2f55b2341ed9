package translation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

// errEmpty is the error of a cluster without any Translation, while the inventory has resources of some.
var errEmpty = errors.New("there is no Translation, but the inventory has resources of some: nothing is deleted " +
	"unless the options allow it")

// findOrphans returns the Translations that are in the inventory and not in the snapshot. The value is true if what the
// backend has of one stays: its namespace is not watched, or the API server itself still has the Translation, which the cache
// may not have received yet.
func (r *reconciler) findOrphans(ctx context.Context, have snapshot, owners []string) (orphans map[string]bool, err error) {
	orphans = map[string]bool{}
	var unsure []string
	for _, key := range owners {
		if have[key] != nil {
			continue
		}
		namespace, _, _ := strings.Cut(key, "/")
		if orphans[key] = len(r.options.Namespaces) > 0 && !slices.Contains(r.options.Namespaces, namespace); !orphans[key] {
			unsure = append(unsure, key)
		}
	}
	const maxSingleReads = 20
	list := r.getEach
	if len(unsure) > maxSingleReads {
		list = r.listAll
	}
	exist, err := list(ctx, unsure)
	for _, key := range exist {
		if _, is := orphans[key]; is {
			orphans[key] = true
		}
	}
	return orphans, err
}

// getEach returns those of the Translations that exist.
func (r *reconciler) getEach(ctx context.Context, keys []string) (exist []string, err error) {
	for _, key := range keys {
		namespace, name, _ := strings.Cut(key, "/")
		o := &metav1.PartialObjectMetadata{}
		o.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation))
		err := r.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, o)
		switch {
		case err == nil:
			exist = append(exist, key)
		case !apierrors.IsNotFound(err) || live.IsUnknownPath(err):
			return nil, fmt.Errorf("get Translation %s: %w", key, err)
		}
	}
	return exist, nil
}

// listAll returns all Translations that exist.
func (r *reconciler) listAll(ctx context.Context, _ []string) (exist []string, err error) {
	namespaces := r.options.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation + "List"))
		if err := r.client.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return nil, fmt.Errorf("list all Translations: %w", err)
		}
		for i := range list.Items {
			exist = append(exist, client.ObjectKeyFromObject(&list.Items[i]).String())
		}
	}
	return exist, nil
}
