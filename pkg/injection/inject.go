package injection

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Result is what injection made of a package.
type Result struct {
	// Changed maps every object that changed to what it became.
	Changed map[*krm.Object]*krm.Object
	// Outcomes tell of every injection point, in the order of the files.
	Outcomes Outcomes
}

// Inject fills the injection points among items. The injectors are tried in order; the first
// that fits the point and names a listed object wins. The error says what is wrong with the
// points themselves; then nothing is injected.
func Inject(items []*krm.Object, injectors []porchconfig.InjectionSelector, list Lister) (*Result, error) {
	found, err := points(items)
	if err != nil {
		return nil, err
	}
	r := &Result{Changed: map[*krm.Object]*krm.Object{}}
	for _, p := range found {
		source, trouble := choose(p.object, injectors, list)
		out := Outcome{Type: p.conditionType, Required: p.required, Trouble: trouble}
		if source != nil {
			injected, err := copyInto(p.object, source)
			if err != nil {
				out.Trouble = err.Error()
			} else {
				out.Source = source.Name()
				if injected != p.object {
					r.Changed[p.object] = injected
				}
			}
		}
		r.Outcomes = append(r.Outcomes, out)
	}
	return r, nil
}

// choose returns the context object for o, or nil and why there is none. No reason means that no
// injector fits.
func choose(o *krm.Object, injectors []porchconfig.InjectionSelector, list Lister) (*krm.Object, string) {
	if len(injectors) == 0 {
		return nil, "no injectors defined"
	}
	candidates, err := list(o.APIVersion(), o.Kind())
	if err != nil {
		return nil, err.Error()
	}
	if len(candidates) == 0 {
		return nil, fmt.Sprintf("no in-cluster resources of type %s.%s", o.APIVersion(), o.Kind())
	}
	for i := range injectors {
		if !fits(&injectors[i], o) {
			continue
		}
		for _, c := range candidates {
			if c.Name() == injectors[i].Name {
				return c, ""
			}
		}
	}
	return nil, ""
}

// fits reports whether every part that s sets is that of o.
func fits(s *porchconfig.InjectionSelector, o *krm.Object) bool {
	same := func(want *string, have string) bool { return want == nil || *want == have }
	return same(s.Group, o.Group()) && same(s.Version, o.Version()) && same(s.Kind, o.Kind())
}

// copyInto returns o with the injected field replaced whole by that of source, and source's name
// noted. It returns o itself when it is so already.
func copyInto(o, source *krm.Object) (*krm.Object, error) {
	field := injectedField(o)
	value := source.Lookup(field)
	if value == nil {
		return nil, fmt.Errorf("field %q not found in resource %q", field, source.Name())
	}
	plain, err := krm.Value(value)
	if err != nil {
		return nil, fmt.Errorf("field %q of resource %q: %w", field, source.Name(), err)
	}
	want, err := krm.NodeOf(plain)
	if err != nil {
		return nil, fmt.Errorf("field %q of resource %q: %w", field, source.Name(), err)
	}
	have := o.Lookup(field)
	if have != nil && krm.Equivalent(have, want) && o.Annotation(SourceAnnotation) == source.Name() {
		return o, nil
	}
	c := o.DeepCopy()
	c.ExpandAliases()
	if have == nil || !krm.Equivalent(have, want) {
		krm.SetField(c.Node(), field, want)
	}
	c.SetAnnotation(SourceAnnotation, source.Name())
	return c, nil
}

// injectedField is the field that is copied: data of a ConfigMap, spec of everything else.
func injectedField(o *krm.Object) string {
	if o.Is("", "ConfigMap") {
		return "data"
	}
	return "spec"
}
