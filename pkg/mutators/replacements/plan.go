package replacements

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
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
	*selection
	paths   []path
	options FieldOptions
	renames bool
}

// plan is replacements in their order.
type plan struct {
	replacements []replacement
	byLabels     bool // some target selects by labels or annotations
}

// planner makes what targets share once: patterns, selections and paths, by what they say.
type planner struct {
	patterns   map[string]*pattern
	selections map[string]*selection
	paths      map[string]path
	byLabels   bool
}

// most bounds replacements and the targets of each.
const most = 1000

func readPlan(config *krm.Object) (*plan, error) {
	if config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "give an object of kind "+configKind)
	}
	if fn.IsConfigMap(config) {
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
	pl := &planner{patterns: map[string]*pattern{}, selections: map[string]*selection{}, paths: map[string]path{}}
	out := &plan{}
	var errs field.ErrorList
	for i, r := range opts.Replacements {
		p, e := pl.replacement(r, at.Index(i))
		out.replacements, errs = append(out.replacements, p), append(errs, e...)
	}
	out.byLabels = pl.byLabels
	return out, errs.ToAggregate()
}

func (pl *planner) replacement(r Replacement, at *field.Path) (p replacement, errs field.ErrorList) {
	p.Replacement = r
	switch {
	case r.Source == nil && r.SourceValue == nil:
		errs = append(errs, field.Required(at.Child("source"), "give source or sourceValue"))
	case r.Source != nil && r.SourceValue != nil:
		errs = append(errs, field.Forbidden(at.Child("sourceValue"), "give source or sourceValue, not both"))
	case r.Source != nil:
		p.source, errs = pl.path(cmp.Or(r.Source.FieldPath, defaultPath), at.Child("source", "fieldPath"), errs)
	}
	if len(r.Targets) == 0 {
		errs = append(errs, field.Required(at.Child("targets"), "name at least one"))
	}
	if len(r.Targets) > most {
		return p, append(errs, field.TooMany(at.Child("targets"), len(r.Targets), most))
	}
	for i, t := range r.Targets {
		ready, e := pl.target(t, at.Child("targets").Index(i))
		p.targets, errs = append(p.targets, ready), append(errs, e...)
	}
	return p, errs
}

func (pl *planner) target(t Target, at *field.Path) (out *target, errs field.ErrorList) {
	out = &target{options: t.Options}
	if t.Select == nil {
		return out, field.ErrorList{field.Required(at.Child("select"), "say which objects; {} selects all")}
	}
	out.selection, errs = pl.selection(t, at)
	if len(t.FieldPaths) == 0 {
		t.FieldPaths = []string{defaultPath}
	}
	for i, text := range t.FieldPaths {
		var p path
		p, errs = pl.path(text, at.Child("fieldPaths").Index(i), errs)
		out.paths = append(out.paths, p)
	}
	out.renames = len(errs) == 0 && slices.ContainsFunc(out.paths, path.renames)
	return out, errs
}

func (pl *planner) path(text string, at *field.Path, errs field.ErrorList) (path, field.ErrorList) {
	if p, ok := pl.paths[text]; ok {
		return p, errs
	}
	p, err := parsePath(text)
	if err != nil {
		return p, append(errs, field.Invalid(at, text, err.Error()))
	}
	pl.paths[text] = p
	return p, errs
}

// renames reports whether p leads to what objects are selected by.
func (p path) renames() bool {
	first := p.steps[0].name
	return first == "metadata" || first == "apiVersion" || first == "kind"
}

// create is the kind of the fields that are made when they are not there.
func (t *target) create(value *yaml.Node) yaml.Kind {
	if t.options.Create {
		return value.Kind
	}
	return nothing
}
