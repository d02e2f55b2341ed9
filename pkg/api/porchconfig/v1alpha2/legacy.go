package v1alpha2

import (
	"maps"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// FromLegacy converts a set of v1alpha1, without its status. A field without a counterpart is an error at
// its path: a tag, a revision that is no number, annotations of selected objects, other namespaces, and
// fields that expressions cannot read. The parts of a package name are joined without a separator. The
// meaning is not validated.
func FromLegacy(old *porchconfig.PackageVariantSet) (*PackageVariantSet, field.ErrorList) {
	c := converter{old: old}
	out := &PackageVariantSet{ObjectMeta: *old.ObjectMeta.DeepCopy()}
	out.APIVersion, out.Kind = APIVersion, KindPackageVariantSet
	at := field.NewPath("spec")
	out.Spec.Upstream = c.upstream(at.Child("upstream"), old.Spec.Upstream)
	for i := range old.Spec.Targets {
		out.Spec.Targets = append(out.Spec.Targets, c.target(at.Child("targets").Index(i), &old.Spec.Targets[i])...)
	}
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return out, nil
}

// converter collects the errors.
type converter struct {
	old  *porchconfig.PackageVariantSet
	errs field.ErrorList
}

func (c *converter) refuse(at *field.Path, value any, why string) {
	c.errs = append(c.errs, field.Invalid(at, value, why))
}

// numbered matches the text of a revision.
var numbered = lazyregexp.New(`^v?([1-9][0-9]{0,8})$`)

func (c *converter) upstream(at *field.Path, old *porchconfig.SetUpstream) *porchconfig.Upstream {
	if old == nil {
		return nil
	}
	out := &porchconfig.Upstream{}
	if old.Package != nil {
		out.Repo, out.Package = old.Package.Repo, old.Package.Name
	}
	if old.Tag != "" {
		c.refuse(at.Child("tag"), old.Tag, "name a revision or a workspace instead: v1alpha2 does not follow Git tags")
	}
	if old.Revision != "" {
		m := numbered.FindStringSubmatch(old.Revision)
		if m == nil {
			c.refuse(at.Child("revision"), old.Revision, "want a number such as v3: v1alpha2 counts revisions")
			return out
		}
		out.Revision, _ = strconv.Atoi(m[1]) // nine digits fit
	}
	return out
}

// target converts a target: into one for each selector of objects, else one.
func (c *converter) target(at *field.Path, old *porchconfig.SetTarget) []Target {
	given := 0
	for _, is := range []bool{old.Package != nil, old.Repositories != nil, old.Objects != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		c.errs = append(c.errs, field.Required(at, "give exactly one of package, repositories and objects"))
		return nil
	}
	t := Target{Template: c.template(at, old)}
	switch {
	case old.Package != nil:
		t.Repositories = []RepositoryTarget{{Name: old.Package.Repo}}
		if old.Package.Name != "" {
			t.Repositories[0].PackageNames = []string{old.Package.Name}
		}
	case old.Repositories != nil:
		t.RepositorySelector = old.Repositories.DeepCopy()
	default:
		return c.objects(at.Child("objects"), old.Objects, t)
	}
	return []Target{t}
}

// objects is one target for each selector, all of them like t otherwise.
func (c *converter) objects(at *field.Path, old *porchconfig.SetObjects, t Target) (out []Target) {
	if len(old.Selectors) == 0 {
		c.errs = append(c.errs, field.Required(at.Child("selectors"), "select some objects"))
	}
	for i := range old.Selectors {
		next := *t.DeepCopy()
		next.ObjectSelector = c.selector(at.Child("selectors").Index(i), &old.Selectors[i])
		out = append(out, next)
	}
	return out
}

func (c *converter) selector(at *field.Path, old *porchconfig.SetSelector) *ObjectSelector {
	out := &ObjectSelector{APIVersion: old.APIVersion, Kind: old.Kind, Name: old.Name}
	if old.Labels != nil {
		out.LabelSelector = *old.Labels.DeepCopy()
	}
	if old.Namespace != "" && old.Namespace != c.old.Namespace {
		c.refuse(at.Child("namespace"), old.Namespace, "v1alpha2 selects in the namespace of the set only")
	}
	if len(old.Annotations) > 0 {
		c.refuse(at.Child("annotations"), old.Annotations, "v1alpha2 does not select by annotation; use labels")
	}
	return out
}

// template joins the settings of the set for every variant and those of the target; nil when there are
// none.
func (c *converter) template(at *field.Path, old *porchconfig.SetTarget) *PackageVariantTemplate {
	s := &c.old.Spec
	out := &PackageVariantTemplate{
		AdoptionPolicy: s.AdoptionPolicy, DeletionPolicy: s.DeletionPolicy,
		Labels: maps.Clone(s.Labels), Annotations: maps.Clone(s.Annotations),
		Downstream: c.downstream(at, old),
	}
	if out.Downstream == nil && s.AdoptionPolicy == "" && s.DeletionPolicy == "" && len(s.Labels)+len(s.Annotations) == 0 {
		return nil
	}
	return out
}
