package status

import (
	"context"
	"errors"
	"fmt"
	"io"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/pager"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// reporting are the resources with reports on a hub.
var reporting = []schema.GroupVersionResource{
	{Group: control.Group, Version: control.Version, Resource: "workstatuses"},
	{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"},
}

// listHub lists the reports on the hub. It prints which kinds the hub does not have.
func (s *command) listHub(ctx context.Context, stderr io.Writer) (out []*krm.Object, err error) {
	cfg, err := cli.Await(ctx, s.hub.Config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	missing := 0
	for _, resource := range reporting {
		found, err := listAll(ctx, client.Resource(resource).Namespace(s.namespace))
		switch {
		case apierrors.IsNotFound(err):
			missing++
			fmt.Fprintf(stderr, "the hub does not know %s\n", resource.GroupResource())
		case err != nil:
			return nil, fmt.Errorf("list %s: %w", resource.GroupResource(), err)
		}
		out = append(out, found...)
	}
	if missing == len(reporting) {
		return nil, errors.New("the cluster is no hub: it knows no kind of report")
	}
	return out, nil
}

// listAll lists objects, one page at a time.
func listAll(ctx context.Context, from dynamic.ResourceInterface) (out []*krm.Object, err error) {
	pages := pager.New(func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
		return from.List(ctx, opts)
	})
	err = pages.EachListItem(ctx, metav1.ListOptions{}, func(item runtime.Object) error {
		n, err := krm.NodeOf(item.(*unstructured.Unstructured).Object)
		if err == nil {
			out = append(out, krm.FromNode(n))
		}
		return err
	})
	return out, err
}
