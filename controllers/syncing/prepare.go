package syncing

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

var definitionsOf = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// prepare makes a PublishedResource ready. A fault says what is wrong, and whether trying again may help.
func (w *worker) prepare(ctx context.Context, o *krm.Object) (*ready, *fault) {
	config, err := waybill.ReadPublishedResource(o)
	if err != nil {
		return nil, &fault{reason: waybill.ReasonValidationError, message: err.Error(), stalled: true}
	}
	types := newVocabulary(w.home.Mapper)
	for _, s := range w.workspaces {
		types.mappers = append(types.mappers, s.Mapper)
	}
	crds, definition, err := w.definitions(ctx, types, config)
	if err != nil {
		return nil, &fault{reason: waybill.ReasonUnavailable, message: "the API server does not say what the type is: " + oneLine(err.Error())}
	}
	rule, faults := syncing.New(config, types, crds)
	switch lacks := types.lack(); {
	case len(faults) > 0 && types.failed != nil:
		return nil, &fault{reason: waybill.ReasonUnavailable,
			message: "API servers do not say what types there are: " + oneLine(types.failed.Error())}
	case len(faults) > 0 && len(lacks) > 0:
		return nil, &fault{reason: waybill.ReasonNotServed, looks: true,
			message: "no API server serves " + strings.Join(lacks, ", ") + ", which is looked for now and then: " +
				oneLine(faults.ToAggregate().Error())}
	case len(faults) > 0:
		return nil, &fault{reason: waybill.ReasonValidationError, message: oneLine(faults.ToAggregate().Error()), stalled: true}
	}
	quiet := config.DeepCopy()
	quiet.Spec.StatusBack = new(bool)
	r := &ready{rule: rule, config: config, generation: correspond.Generation(o), definition: definition}
	r.quiet, faults = syncing.New(quiet, types, crds)
	if err := errors.Join(faults.ToAggregate(), w.complete(r, types)); err != nil {
		return nil, &fault{reason: waybill.ReasonValidationError, message: oneLine(err.Error()), stalled: true}
	}
	types.closed = true
	return r, nil
}

// definitions are the CustomResourceDefinition of the type, if it has one that may be read.
func (w *worker) definitions(ctx context.Context, types *vocabulary, config *waybill.PublishedResource) ([]*krm.Object, string, error) {
	of := config.Spec.Resource
	plural := types.Lookup(of.APIGroup, of.Kind).Plural
	if plural == "" {
		return nil, "", nil
	}
	u, err := w.home.Objects.Resource(definitionsOf).Get(ctx, plural+"."+of.APIGroup, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	crd, err := objectOf(u)
	if err != nil {
		return nil, "", err
	}
	return []*krm.Object{crd}, correspond.Generation(crd), nil
}

// outdated reports whether the CustomResourceDefinition is another one by now.
func (w *worker) outdated(ctx context.Context) bool {
	types := newVocabulary(w.home.Mapper)
	_, now, err := w.definitions(ctx, types, w.ready.config)
	return err == nil && now != w.ready.definition
}
