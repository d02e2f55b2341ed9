// Package hub reads objects from a hub.
package hub

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/pager"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// ManifestWorks is the resource of works.
var ManifestWorks = schema.GroupVersionResource{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"}

// List lists objects, one page at a time.
func List(ctx context.Context, from dynamic.ResourceInterface, opts metav1.ListOptions) (out []*krm.Object, err error) {
	pages := pager.New(func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
		return from.List(ctx, opts)
	})
	err = pages.EachListItem(ctx, opts, func(item runtime.Object) error {
		n, err := krm.NodeOf(item.(*unstructured.Unstructured).Object)
		if err == nil {
			out = append(out, krm.FromNode(n))
		}
		return err
	})
	return out, err
}
