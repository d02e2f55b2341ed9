package v1alpha2

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// messages collects the faults of a set.
type messages struct{ porchconfig.Messages }

// Validate returns a *porchconfig.ValidationError with every fault of the set, in the messages
// of Porch's controller, or nil. It does not compile expressions.
func (s *PackageVariantSet) Validate() error {
	var m messages
	m.upstream(s.Spec.Upstream)
	if len(s.Spec.Targets) == 0 {
		m.Add("must specify at least one item in spec.targets")
	}
	for i := range s.Spec.Targets {
		at := fmt.Sprintf("spec.targets[%d]", i)
		m.target(at, &s.Spec.Targets[i])
		m.template(at+".template", s.Spec.Targets[i].Template)
	}
	return m.Err()
}

func (m *messages) upstream(u *porchconfig.Upstream) {
	if u == nil {
		m.Add("spec.upstream is a required field")
		return
	}
	if u.Package == "" {
		m.Add("spec.upstream.package is a required field")
	}
	if u.Repo == "" {
		m.Add("spec.upstream.repo is a required field")
	}
	if u.Revision == 0 && u.WorkspaceName == "" && u.Follow == "" {
		m.Add("either spec.upstream.revision or spec.upstream.workspaceName must be specified")
	}
	var faults *porchconfig.ValidationError
	if errors.As(u.ValidateFollow(), &faults) {
		m.Messages = append(m.Messages, faults.Messages...)
	}
}

// target checks the selectors in the order of the fields, and last that exactly one of three is given, as
// in Porch.
func (m *messages) target(at string, t *Target) {
	given := 0
	if t.Repositories != nil {
		given++
		m.repositories(at+".repositories", t.Repositories)
	}
	if t.RepositorySelector != nil {
		given++
	}
	if t.ObjectSelector != nil {
		given++
		if t.ObjectSelector.APIVersion == "" {
			m.Add("%s.objectselector.apiVersion cannot be empty", at)
		}
		if t.ObjectSelector.Kind == "" {
			m.Add("%s.objectselector.kind cannot be empty", at)
		}
	}
	if given != 1 {
		m.Add("%s must specify one of `repositories`, `repositorySelector`, or `objectSelector`", at)
	}
}

func (m *messages) repositories(at string, list []RepositoryTarget) {
	if len(list) == 0 {
		m.Add("%s must not be an empty list if specified", at)
	}
	for i := range list {
		if list[i].Name == "" {
			m.Add("%s[%d].name cannot be empty", at, i)
		}
		if names := list[i].PackageNames; names != nil && len(names) == 0 { // an empty list is invalid, a missing one is not
			m.Add("%s[%d].packageNames must not be an empty list if specified", at, i)
		}
		for j, name := range list[i].PackageNames {
			if name == "" {
				m.Add("%s[%d].packageNames[%d] cannot be empty", at, i, j)
			}
		}
	}
}

func (m *messages) template(at string, t *PackageVariantTemplate) {
	if t == nil {
		return
	}
	m.policies(at, t)
	if d := t.Downstream; d != nil {
		m.oneOf(at, "downstream.repo", d.Repo, d.RepoExpr)
		m.oneOf(at, "downstream.package", d.Package, d.PackageExpr)
	}
	m.mapExprs(at+".labelExprs", t.LabelExprs)
	m.mapExprs(at+".annotationExprs", t.AnnotationExprs)
	if c := t.PackageContext; c != nil {
		m.packageContext(at+".packageContext", c)
	}
	for i := range t.Injectors {
		m.injector(fmt.Sprintf("%s.injectors[%d]", at, i), &t.Injectors[i])
	}
	if p := t.Pipeline; p != nil {
		m.functions(at+".pipeline.mutators", p.Mutators)
		m.functions(at+".pipeline.validators", p.Validators)
	}
}

func (m *messages) policies(at string, t *PackageVariantTemplate) {
	switch t.AdoptionPolicy {
	case "", porchconfig.AdoptNone, porchconfig.AdoptExisting:
	default:
		m.Add("%s.adoptionPolicy can only be %q or %q", at, porchconfig.AdoptNone, porchconfig.AdoptExisting)
	}
	if !t.DeletionPolicy.IsKnown() {
		m.Add("%s.deletionPolicy can only be %q or %q", at, porchconfig.DeletionOrphan, porchconfig.DeletionDelete)
	}
}

// oneOf refuses a text that is given both as a value and by an expression.
func (m *messages) oneOf(at, field string, literal, expression *string) {
	if literal != nil && expression != nil {
		m.Add("%s may specify only one of `%s` and `%sExpr`", at, field, field)
	}
}

func (m *messages) mapExprs(at string, list []MapExpr) {
	for i := range list {
		entry := fmt.Sprintf("%s[%d]", at, i)
		m.oneOf(entry, "key", list[i].Key, list[i].KeyExpr)
		m.oneOf(entry, "value", list[i].Value, list[i].ValueExpr)
	}
}

// packageContext refuses literal keys that are invalid in every variant of the template. Keys of
// expressions are checked after evaluation.
func (m *messages) packageContext(at string, c *PackageContextTemplate) {
	m.Messages = append(m.Messages, porchconfig.ReservedKeyFaults(at, &porchconfig.PackageContext{Data: c.Data, RemoveKeys: c.RemoveKeys})...)
	m.mapExprs(at+".dataExprs", c.DataExprs)
}

func (m *messages) injector(at string, s *InjectionSelectorTemplate) {
	m.oneOf(at, "name", s.Name, s.NameExpr)
	if s.Name == nil && s.NameExpr == nil {
		m.Add("%s must specify either `name` or `nameExpr`", at)
	}
}

func (m *messages) functions(at string, list []FunctionTemplate) {
	for i := range list {
		if list[i].Image == "" {
			m.Add("%s[%d].image must not be empty", at, i)
		}
		if strings.Contains(list[i].Name, ".") {
			m.Add("%s[%d].name must not contain '.'", at, i)
		}
		m.mapExprs(fmt.Sprintf("%s[%d].configMapExprs", at, i), list[i].ConfigMapExprs)
	}
}
