package apisync

import (
	"errors"
	"fmt"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
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

// Name is the name of the function.
const Name = "sync"

// primaryEdge is the name of the edge of primaries.
const primaryEdge = "primary"

// Rule is a compiled PublishedResource. It is safe for concurrent use.
type Rule struct {
	name   string // of the configuration, after that of the agent
	config *waybill.PublishedResource
	types  workload.Types

	local, remote Type
	namespaces    labels.Selector // nil: all
	objects       labels.Selector // nil: all
	naming        *naming.Naming
	mutation      *mutation.Mutation
	related       []*related
	limit         applyset.Limit
	adopt         applyset.Adoption
	drift         applyset.Drift
	mayBeEmpty    bool  // the filter may select nothing where it selected something before
	conversion    error // why files cannot be written: their versions would have to be converted
}

// New compiles a PublishedResource. types has the types of both sides, and definitions are the existing
// CustomResourceDefinitions. The errors are all faults of the configuration.
func New(config *waybill.PublishedResource, types workload.Types, definitions []*krm.Object) (*Rule, field.ErrorList) {
	r := &Rule{name: ControllerOf(config), config: config, types: types}
	spec := &config.Spec
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
		errs = append(errs, fieldErrors(at.Child("resource"), err)[0])
	}
	if f := spec.Filter; f != nil {
		r.namespaces, r.objects = selectorOf(f.Namespace), selectorOf(f.Resource)
	}
	r.naming, err = naming.New(spec.Naming)
	errs = append(errs, fieldErrors(at.Child("naming"), err)...)
	r.mutation, err = mutation.New(spec.Mutation, at.Child("mutation"))
	errs = append(errs, fieldErrors(at.Child("mutation"), err)...)
	if r.limit, err = applyset.ParseLimit(config.MaxDeletions()); err != nil {
		errs = append(errs, field.Invalid(at.Child("maxDeletions"), config.MaxDeletions(), err.Error()))
	}
	r.adopt = adoptions[config.Adoption()]
	if !config.Corrects() {
		r.drift = applyset.Tolerate
	}
	for i := range spec.Related {
		one, faults := newRelated(&spec.Related[i], types, at.Child("related").Index(i))
		if !one.FromSource && one.Copied.GroupKind() == r.remote.GroupKind() && one.Copied.Kind != "" {
			faults = append(faults, field.Forbidden(at.Child("related").Index(i).Child("origin"), fmt.Sprintf(
				"its copies at the source would be of kind %s, which this PublishedResource reads as objects of consumers; copy them as another type",
				one.Copied.Kind)))
		}
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

// ControllerOf is Rule.Controller for a configuration of which no Rule can be compiled.
func ControllerOf(config *waybill.PublishedResource) string {
	if config.Spec.AgentName == "" {
		return config.Name
	}
	return config.Spec.AgentName + "." + config.Name
}

// Controller is the name that all outputs carry in the annotation waybill.dev/controller.
func (r *Rule) Controller() string { return r.name }

// Limit is how many copies may be deleted at once.
func (r *Rule) Limit() applyset.Limit { return r.limit }

// Conversion says why the two sides cannot be written without an API server that converts between versions; nil when they can.
func (r *Rule) Conversion() error { return r.conversion }

// PrimaryTypes are the types of primaries: that at the destination, and that at the source.
func (r *Rule) PrimaryTypes() (local, remote Type) { return r.local, r.remote }

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

// fieldErrors are the errors in err, as errors about fields; none for nil.
func fieldErrors(at *field.Path, err error) (list field.ErrorList) {
	if err == nil {
		return nil
	}
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		for _, one := range many.Errors() {
			list = append(list, fieldErrors(at, one)...)
		}
		return list
	}
	if e, ok := errors.AsType[*field.Error](err); ok {
		return field.ErrorList{e}
	}
	return field.ErrorList{field.Invalid(at, field.OmitValueType{}, strings.ReplaceAll(err.Error(), "\n", " "))}
}

// NearestType is the type that the rule reads and that the kind of o nearly names; nil when there is none.
func (r *Rule) NearestType(o *krm.Object) *schema.GroupKind {
	read := []schema.GroupKind{r.remote.GroupKind(), r.local.GroupKind()}
	for _, rel := range r.related {
		read = append(read, rel.Origin.GroupKind(), rel.Copied.GroupKind())
	}
	if r.types.Lookup(o.Group(), o.Kind()).Known {
		return nil
	}
	return workload.Nearly(schema.FromAPIVersionAndKind(o.APIVersion(), o.Kind()), read...)
}
