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

	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

// errEmpty is the error of a cluster in which not one Translation is left.
var errEmpty = errors.New("there is not one Translation, and the inventory has resources of some: nothing is deleted, " +
	"unless the options allow it")

// vanished are the Translations that the inventory knows and the cluster does not, each with whether it is
// kept as it is: those of namespaces that are not followed, and those of which the API server itself does
// not say that they are gone. What the cache has not seen yet may have been created before this process began.
func (p *passes) vanished(ctx context.Context, seen view, recorded []string) (gone map[string]bool, err error) {
	gone = map[string]bool{}
	var doubtful []string
	for _, key := range recorded {
		if seen[key] != nil {
			continue
		}
		namespace, _, _ := strings.Cut(key, "/")
		if gone[key] = len(p.options.Namespaces) > 0 && !slices.Contains(p.options.Namespaces, namespace); !gone[key] {
			doubtful = append(doubtful, key)
		}
	}
	const few = 20
	ask := p.askEach
	if len(doubtful) > few {
		ask = p.askAll
	}
	there, err := ask(ctx, doubtful)
	for _, key := range there {
		if _, asked := gone[key]; asked {
			gone[key] = true
		}
	}
	return gone, err
}

// askEach asks the API server for Translations, one by one, and gives those that are there.
func (p *passes) askEach(ctx context.Context, keys []string) (there []string, err error) {
	for _, key := range keys {
		namespace, name, _ := strings.Cut(key, "/")
		o := &metav1.PartialObjectMetadata{}
		o.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation))
		err := p.objects.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, o)
		switch {
		case err == nil:
			there = append(there, key)
		case !apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
			return nil, fmt.Errorf("ask for Translation %s: %w", key, err)
		}
	}
	return there, nil
}

// askAll asks for all Translations at once, and gives all that are there.
func (p *passes) askAll(ctx context.Context, _ []string) (there []string, err error) {
	namespaces := p.options.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		list := &metav1.PartialObjectMetadataList{}
		list.SetGroupVersionKind(midonet.GroupVersion.WithKind(midonet.KindTranslation + "List"))
		if err := p.objects.List(ctx, list, client.InNamespace(namespace)); err != nil {
			return nil, fmt.Errorf("ask for all Translations: %w", err)
		}
		for i := range list.Items {
			there = append(there, list.Items[i].Namespace+"/"+list.Items[i].Name)
		}
	}
	return there, nil
}
