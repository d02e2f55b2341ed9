package apisync

import (
	"errors"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/apisync/naming"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Name is the function's.
const Name = "sync"

// primaryEdge is the name of the edge of primaries.
const primaryEdge = "primary"

// Rule is a compiled PublishedResource. It is safe for concurrent use.
type Rule struct {
	name   string // of the configuration, with the agent's
	config *waybill.PublishedResource
	types  workload.Types

	local, remote    Type
	namespaces       labels.Selector // nil: all
	objects          labels.Selector // nil: all
	naming           *naming.Naming
	mutation         *mutation.Mutation
	related          []*related
	limit            applyset.Limit
	adopt            applyset.Adoption
	drift            applyset.Drift
	complete, synced bool
	mayBeEmpty       bool  // the filter may select nothing where it selected something before
	conversion       error // why files cannot be written: nothing converts between versions
}

// New compiles a PublishedResource. types has the types of both sides, and definitions are the existing
// CustomResourceDefinitions. The errors are all faults of the configuration.
func New(config *waybill.PublishedResource, types workload.Types, definitions []*krm.Object) (*Rule, field.ErrorList) {
	r := &Rule{name: controllerName(config), config: config, types: types, complete: config.Complete()}
	spec := &config.Spec
	r.synced = config.Moves()
	errs := validation.PublishedResource(config)
	if len(errs) > 0 {
		return nil, errs
	}
	allowed, fault := selection.Allowed(config.Annotations)
	if fault != nil {
		errs = append(errs, fault)
	}
	r.mayBeEmpty = allowed || spec.AllowEmpty
	at := field.NewPath("spec")
	var err error
	if r.local, r.remote, r.conversion, err = primaryTypes(config, types, definitions); err != nil {
		errs = append(errs, asField(at.Child("resource"), err))
	}
	if f := spec.Filter; f != nil {
		r.namespaces, r.objects = selectorOf(f.Namespace), selectorOf(f.Resource)
	}
	if r.naming, err = naming.New(spec.Naming); err != nil {
		errs = append(errs, asFields(at.Child("naming"), err)...)
	}
	if r.mutation, err = mutation.New(spec.Mutation, at.Child("mutation")); err != nil {
		errs = append(errs, asFields(at.Child("mutation"), err)...)
	}
	if r.limit, err = applyset.ParseLimit(config.MaxDeletions()); err != nil {
		errs = append(errs, field.Invalid(at.Child("maxDeletions"), config.MaxDeletions(), err.Error()))
	}
	r.adopt = adoptions[config.Adoption()]
	if !config.Corrects() {
		r.drift = applyset.Tolerate
	}
	for i := range spec.Related {
		one, faults := newRelated(&spec.Related[i], types, at.Child("related").Index(i))
		r.related, errs = append(r.related, one), append(errs, faults...)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return r, nil
}

// adoptions are the adoption policies by name.
var adoptions = map[string]applyset.Adoption{
	waybill.AdoptConverge: applyset.Converge, waybill.AdoptPreserve: applyset.Preserve, waybill.AdoptNever: applyset.Never,
}

// controllerName is the name of the configuration on outputs.
func controllerName(config *waybill.PublishedResource) string {
	if config.Spec.AgentName == "" {
		return config.Name
	}
	return config.Spec.AgentName + "." + config.Name
}

// Controller is the name that all outputs carry in the annotation waybill.dev/controller.
func (r *Rule) Controller() string { return r.name }

// Types are the types of primaries: that at the destination, and that at the source.
func (r *Rule) Types() (local, remote Type) { return r.local, r.remote }

// selectorOf is a selector that Validate has seen; nil for one that is absent.
func selectorOf(s *v1.LabelSelector) labels.Selector {
	if s == nil {
		return nil
	}
	selector, err := v1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// asField is an error as one about a field.
func asField(at *field.Path, err error) *field.Error { return asFields(at, err)[0] }

func asFields(at *field.Path, err error) field.ErrorList {
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		var list field.ErrorList
		for _, one := range many.Errors() {
			list = append(list, asFields(at, one)...)
		}
		return list
	}
	if e, ok := errors.AsType[*field.Error](err); ok {
		return field.ErrorList{e}
	}
	return field.ErrorList{field.Invalid(at, field.OmitValueType{}, strings.ReplaceAll(err.Error(), "\n", " "))}
}

// ControllerOf is Rule.Controller for such a configuration.
func ControllerOf(config *waybill.PublishedResource) string { return controllerName(config) }
