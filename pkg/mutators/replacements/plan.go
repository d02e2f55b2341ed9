package replacements

import (
	"cmp"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// replacement is a Replacement that is ready to be done.
type replacement struct {
	Replacement
	source  path
	targets []*target
}

// target is a Target that is ready to be used.
type target struct {
	Target
	ids    *types.TargetSelectorRegex
	meta   metaSelector
	reject []metaSelector // those of Reject that have one
	paths  []path
}

// metaSelector selects by labels and annotations.
type metaSelector struct{ labels, annotations labels.Selector }

// most bounds replacements and the targets of each.
const most = 1000

func readPlan(config *krm.Object) (plan []replacement, err error) {
	if config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "give an object of kind "+configKind)
	}
	if edit.IsConfigMap(config) {
		return nil, field.Invalid(field.NewPath("functionConfig", "kind"), "v1 ConfigMap", "want an object of kind "+configKind)
	}
	var opts Options
	if err := edit.Decode(config, configKind, &opts, nil); err != nil {
		return nil, err
	}
	at := field.NewPath("replacements")
	if len(opts.Replacements) > most {
		return nil, field.TooMany(at, len(opts.Replacements), most)
	}
	var errs field.ErrorList
	for i, r := range opts.Replacements {
		p, e := r.plan(at.Index(i))
		plan, errs = append(plan, p), append(errs, e...)
	}
	return plan, errs.ToAggregate()
}

func (r Replacement) plan(at *field.Path) (p replacement, errs field.ErrorList) {
	p.Replacement = r
	switch {
	case r.Source == nil && r.SourceValue == nil:
		errs = append(errs, field.Required(at.Child("source"), "give source or sourceValue"))
	case r.Source != nil && r.SourceValue != nil:
		errs = append(errs, field.Forbidden(at.Child("sourceValue"), "give source or sourceValue, not both"))
	case r.Source != nil:
		var err error
		if p.source, err = parsePath(cmp.Or(r.Source.FieldPath, defaultPath)); err != nil {
			errs = append(errs, field.Invalid(at.Child("source", "fieldPath"), r.Source.FieldPath, err.Error()))
		}
	}
	if len(r.Targets) == 0 {
		errs = append(errs, field.Required(at.Child("targets"), "name at least one"))
	}
	if len(r.Targets) > most {
		return p, append(errs, field.TooMany(at.Child("targets"), len(r.Targets), most))
	}
	for i, t := range r.Targets {
		ready, e := t.ready(at.Child("targets").Index(i))
		p.targets, errs = append(p.targets, ready), append(errs, e...)
	}
	return p, errs
}

func (t Target) ready(at *field.Path) (out *target, errs field.ErrorList) {
	out = &target{Target: t}
	if t.Select == nil {
		return out, field.ErrorList{field.Required(at.Child("select"), "say which objects; {} selects all")}
	}
	var err error
	if out.ids, err = types.NewTargetSelectorRegex(t.regexps()); err != nil {
		errs = append(errs, field.Invalid(at, field.OmitValueType{}, err.Error()))
	}
	out.meta, errs = t.Select.meta(at.Child("select"), errs)
	for i, r := range t.Reject {
		if r.LabelSelector != "" || r.AnnotationSelector != "" {
			var m metaSelector
			m, errs = r.meta(at.Child("reject").Index(i), errs)
			out.reject = append(out.reject, m)
		}
	}
	if len(t.FieldPaths) == 0 {
		t.FieldPaths = []string{defaultPath}
	}
	for i, text := range t.FieldPaths {
		p, err := parsePath(text)
		if err != nil {
			errs = append(errs, field.Invalid(at.Child("fieldPaths").Index(i), text, err.Error()))
		}
		out.paths = append(out.paths, p)
	}
	return out, errs
}

func (s Selector) meta(at *field.Path, errs field.ErrorList) (m metaSelector, _ field.ErrorList) {
	var err error
	if m.labels, err = labels.Parse(s.LabelSelector); err != nil {
		errs = append(errs, field.Invalid(at.Child("labelSelector"), s.LabelSelector, err.Error()))
	}
	if m.annotations, err = labels.Parse(s.AnnotationSelector); err != nil {
		errs = append(errs, field.Invalid(at.Child("annotationSelector"), s.AnnotationSelector, err.Error()))
	}
	return m, errs
}

func (m metaSelector) matches(o *krm.Object) bool {
	return m.annotations.Matches(labels.Set(o.Annotations())) && m.labels.Matches(labels.Set(o.Labels()))
}

// selects reports whether t means fields of o.
func (t *target) selects(o *krm.Object) bool {
	id := identity(o)
	if !t.ids.Selects(id) || t.ids.RejectsAny([]resid.ResId{id}) || !t.meta.matches(o) {
		return false
	}
	for _, r := range t.reject {
		if r.matches(o) {
			return false
		}
	}
	return true
}

// create is the kind of the fields that are made when they are not there.
func (t *target) create(value *yaml.Node) yaml.Kind {
	if t.Options.Create {
		return value.Kind
	}
	return nothing
}
