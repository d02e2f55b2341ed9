package replacements

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// replacement is a compiled Replacement.
type replacement struct {
	Replacement
	source  path
	targets []*target
}

// target is a compiled Target.
type target struct {
	*selection
	paths   []path
	options FieldOptions
	renames bool
}

// plan is the replacements in order.
type plan struct {
	replacements []replacement
	byLabels     bool // some target selects by labels or annotations
}

// planner makes what targets share once: patterns, selections and paths, by their texts. It collects the faults.
type planner struct {
	patterns   map[string]*pattern
	selections map[string]*selection
	paths      map[string]path
	byLabels   bool
	errs       field.ErrorList
}

func (pl *planner) fail(err *field.Error) { pl.errs = append(pl.errs, err) }

// most limits the replacements, and the targets of each.
const most = 1000

func readPlan(config *krm.Object) (*plan, error) {
	if config == nil {
		return nil, field.Required(field.NewPath("functionConfig"), "give an object of kind "+configKind)
	}
	if fn.IsConfigMap(config) {
		return nil, fn.WrongKind(config, "an object of kind "+configKind)
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
	for i, r := range opts.Replacements {
		out.replacements = append(out.replacements, pl.replacement(r, at.Index(i)))
	}
	out.byLabels = pl.byLabels
	return out, pl.errs.ToAggregate()
}

func (pl *planner) replacement(r Replacement, at *field.Path) (p replacement) {
	p.Replacement = r
	switch {
	case r.Source == nil && r.SourceValue == nil:
		pl.fail(field.Required(at.Child("source"), "give source or sourceValue"))
	case r.Source != nil && r.SourceValue != nil:
		pl.fail(field.Forbidden(at.Child("sourceValue"), "give source or sourceValue, not both"))
	case r.Source != nil:
		p.source = pl.path(cmp.Or(r.Source.FieldPath, defaultPath), at.Child("source", "fieldPath"))
	}
	at = at.Child("targets")
	switch {
	case len(r.Targets) == 0:
		pl.fail(field.Required(at, "name at least one"))
	case len(r.Targets) > most:
		pl.fail(field.TooMany(at, len(r.Targets), most))
		return p
	}
	for i, t := range r.Targets {
		p.targets = append(p.targets, pl.target(t, at.Index(i)))
	}
	return p
}

func (pl *planner) target(t Target, at *field.Path) *target {
	out := &target{options: t.Options}
	if t.Select == nil {
		pl.fail(field.Required(at.Child("select"), "give a selector; {} selects all objects"))
		return out
	}
	out.selection = pl.selection(t, at)
	if len(t.FieldPaths) == 0 {
		t.FieldPaths = []string{defaultPath}
	}
	for i, text := range t.FieldPaths {
		out.paths = append(out.paths, pl.path(text, at.Child("fieldPaths").Index(i)))
	}
	out.renames = len(pl.errs) == 0 && slices.ContainsFunc(out.paths, path.renames)
	return out
}

func (pl *planner) path(text string, at *field.Path) path {
	p, ok := pl.paths[text]
	if !ok {
		var err error
		if p, err = parsePath(text); err != nil {
			pl.fail(field.Invalid(at, text, err.Error()))
			return p
		}
		pl.paths[text] = p
	}
	return p
}

// selection is that of every target that selects and rejects the same.
func (pl *planner) selection(t Target, at *field.Path) *selection {
	key := t.Select.key()
	for _, r := range t.Reject {
		key += r.key()
	}
	if s := pl.selections[key]; s != nil {
		return s
	}
	faults := len(pl.errs)
	s := &selection{names: pl.names(t.Select.ID, at.Child("select")), meta: pl.meta(*t.Select, at.Child("select"))}
	for i, r := range t.Reject {
		at := at.Child("reject").Index(i)
		if n := pl.names(r.ID, at); n != (names{}) {
			s.rejectNames = append(s.rejectNames, n)
		}
		if m := pl.meta(r, at); m != nil {
			s.rejectMeta = append(s.rejectMeta, m)
		}
	}
	if len(pl.errs) == faults {
		pl.selections[key] = s
	}
	return s
}

func (pl *planner) names(id ID, at *field.Path) (n names) {
	for part, text := range id.parts() {
		if text == "" {
			continue
		}
		if pl.patterns[text] == nil {
			p, err := newPattern(text)
			if err != nil {
				pl.fail(field.Invalid(at.Child(partNames[part]), text, err.Error()))
				continue
			}
			pl.patterns[text] = p
		}
		n[part] = pl.patterns[text]
	}
	return n
}

// meta is how s selects by labels and annotations, nil when it does not.
func (pl *planner) meta(s Selector, at *field.Path) *metaSelector {
	if s.LabelSelector == "" && s.AnnotationSelector == "" {
		return nil
	}
	pl.byLabels = true
	parse := func(name, text string) labels.Selector {
		selector, err := labels.Parse(text)
		if err != nil {
			pl.fail(field.Invalid(at.Child(name), text, err.Error()))
		}
		return selector
	}
	return &metaSelector{parse("labelSelector", s.LabelSelector), parse("annotationSelector", s.AnnotationSelector)}
}

// key is the text of all fields of s.
func (s Selector) key() string {
	return fmt.Sprintf("%q %q %q;", s.parts(), s.LabelSelector, s.AnnotationSelector)
}

// renames reports whether objects are selected by the field of p.
func (p path) renames() bool {
	first := p.steps[0].name
	return first == "metadata" || first == "apiVersion" || first == "kind"
}

// create is the kind of the fields that are made when they are missing.
func (t *target) create(value *yaml.Node) yaml.Kind {
	if t.options.Create {
		return value.Kind
	}
	return nothing
}
