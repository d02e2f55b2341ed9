// Package cluster reads and writes the few kinds that commands need in a cluster, over the REST client of client-go. Its typed clients,
// and that of controller-runtime, would link every kind of Kubernetes: they would double the size of the program and the time of
// its start.
package cluster

import (
	"errors"
	"fmt"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// For returns a client for the kinds of a group and version, which add registers.
func For(cfg *rest.Config, version schema.GroupVersion, add func(*runtime.Scheme) error) (*rest.RESTClient, error) {
	scheme := runtime.NewScheme()
	if err := add(scheme); err != nil {
		return nil, err
	}
	cfg = rest.CopyConfig(cfg)
	cfg.GroupVersion, cfg.APIPath = &version, "/apis"
	if version.Group == "" {
		cfg.APIPath = "/api"
	}
	cfg.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	return rest.RESTClientFor(cfg)
}

// notServed says that the API server does not know a kind, if that is why a request failed.
func notServed(err error, kind, advice string) error {
	if apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse) {
		return fmt.Errorf("the API server does not know %s: %s", kind, advice)
	}
	return err
}

// unreachable says that an API server cannot be reached, with its address and the reason, if that is why a request failed.
func unreachable(err error) error {
	var connection *url.Error
	if errors.As(err, &connection) {
		return fmt.Errorf("the API server cannot be reached: %w", connection)
	}
	return err
}
