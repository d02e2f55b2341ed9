package cluster

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Review asks the API server what it knows or allows: it creates an object of a kind of a group in version v1, such as
// SelfSubjectReview, and returns its status. spec may be nil.
func Review(ctx context.Context, cfg *rest.Config, group, kind string, spec map[string]any) (status map[string]any, err error) {
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	version := schema.GroupVersion{Group: group, Version: "v1"}
	review := &unstructured.Unstructured{Object: map[string]any{}}
	if spec != nil {
		review.Object["spec"] = spec
	}
	review.SetGroupVersionKind(version.WithKind(kind))
	answer, err := client.Resource(version.WithResource(strings.ToLower(kind)+"s")).Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	status, _, err = unstructured.NestedMap(answer.Object, "status")
	return status, err
}
