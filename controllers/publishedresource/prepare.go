package publishedresource

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var definitionsOf = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// prepare reads a PublishedResource. A fault says what is wrong, and whether another attempt may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*prepared, *live.Fault) {
	config, err := waybill.ReadPublishedResource(o)
	if err != nil {
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: err.Error(), Stalled: true}
	}
	servers := []*live.Server{w.controller.home.Server}
	for _, s := range w.controller.workspaces {
		servers = append(servers, s.Server)
	}
	types := live.NewTypes(servers...)
	crds, definition, err := w.definitions(ctx, types, config)
	if err != nil {
		return nil, &live.Fault{Reason: waybill.ReasonUnavailable,
			Message: "the API server does not say what the type is: " + live.OneLine(err.Error())}
	}
	rule, faults := apisync.New(config, types, crds)
	switch missing, failed := types.Missing(); {
	case len(faults) > 0 && failed != nil:
		return nil, &live.Fault{Reason: waybill.ReasonUnavailable,
			Message: "API servers do not say what types there are: " + live.OneLine(failed.Error())}
	case len(faults) > 0 && len(missing) > 0:
		return nil, &live.Fault{Reason: waybill.ReasonNotServed, Poll: true,
			Message: "no API server serves " + strings.Join(missing, ", ") + ", which is looked for now and then: " +
				live.OneLine(faults.ToAggregate().Error())}
	case len(faults) > 0:
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: live.OneLine(faults.ToAggregate().Error()), Stalled: true}
	}
	quiet := config.DeepCopy()
	quiet.Spec.StatusBack = new(bool)
	r := &prepared{rule: rule, config: config, generation: applyset.Generation(o), definition: definition}
	r.quiet, faults = apisync.New(quiet, types, crds)
	if err := errors.Join(faults.ToAggregate(), w.complete(r, types)); err != nil {
		return nil, &live.Fault{Reason: waybill.ReasonValidationError, Message: live.OneLine(err.Error()), Stalled: true}
	}
	types.Freeze()
	return r, nil
}

// definitions are the CustomResourceDefinition of the type, if it has one that may be read.
func (w *worker) definitions(ctx context.Context, types *live.Types, config *waybill.PublishedResource) ([]*krm.Object, string, error) {
	of := config.Spec.Resource
	plural := types.Lookup(of.APIGroup, of.Kind).Plural
	if plural == "" {
		return nil, "", nil
	}
	u, err := w.controller.home.Objects.Resource(definitionsOf).Get(ctx, plural+"."+of.APIGroup, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	crd, err := live.FromUnstructured(u)
	if err != nil {
		return nil, "", err
	}
	return []*krm.Object{crd}, applyset.Generation(crd), nil
}

// isOutdated reports whether the CustomResourceDefinition is another one by now.
func (w *worker) isOutdated(ctx context.Context) bool {
	types := live.NewTypes(w.controller.home.Server)
	_, now, err := w.definitions(ctx, types, w.prepared.config)
	return err == nil && now != w.prepared.definition
}
