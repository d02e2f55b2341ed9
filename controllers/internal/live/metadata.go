package live

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

// metadataWatch lists whole objects, and watches their metadata alone.
type metadataWatch struct {
	dynamic.ResourceInterface
	metadata metadata.ResourceInterface
}

// Watch implements dynamic.ResourceInterface.
func (w metadataWatch) Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	events, err := w.metadata.Watch(ctx, o)
	if err != nil {
		return nil, err
	}
	return watch.Filter(events, func(event watch.Event) (watch.Event, bool) {
		if obj, is := event.Object.(*metav1.PartialObjectMetadata); is {
			event.Object = FromMetadata(obj)
		}
		return event, true
	}), nil
}

// FromMetadata returns an object that has metadata alone, and the kind that says so.
func FromMetadata(obj *metav1.PartialObjectMetadata) *unstructured.Unstructured {
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		panic(err) // the type is known, and can be converted
	}
	out := &unstructured.Unstructured{Object: plain}
	out.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
	return out
}
