package porchconfig

import (
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidationError holds all faults of an object, in the order of its fields.
type ValidationError struct{ Messages []string }

// Error joins the messages with "; ".
func (e *ValidationError) Error() string { return strings.Join(e.Messages, "; ") }

// Messages collects the faults of an object.
//
// +kubebuilder:object:generate=false
type Messages []string

// Add adds a fault.
func (m *Messages) Add(format string, args ...any) { *m = append(*m, fmt.Sprintf(format, args...)) }

// Err is a *ValidationError with the faults, nil if there are none.
func (m Messages) Err() error {
	if len(m) == 0 {
		return nil
	}
	return &ValidationError{Messages: m}
}

func (m *Messages) require(path, value string) {
	if value == "" {
		m.Add("missing required field %s", path)
	}
}

// Validate returns a *ValidationError with every fault of the PackageVariant, in the messages
// of Porch's controller, or nil.
func (pv *PackageVariant) Validate() error {
	var m Messages
	s := &pv.Spec
	if s.Upstream == nil {
		m.require("spec.upstream", "")
	} else {
		m.require("spec.upstream.repo", s.Upstream.Repo)
		m.require("spec.upstream.package", s.Upstream.Package)
		m = append(m, s.Upstream.followFaults()...)
	}
	if s.Downstream == nil {
		m.require("spec.downstream", "")
	} else {
		m.require("spec.downstream.repo", s.Downstream.Repo)
		m.require("spec.downstream.package", s.Downstream.Package)
	}
	m.policies(s)
	m = append(m, ReservedKeyFaults("spec.packageContext", s.PackageContext)...)
	for i := range s.Injectors {
		if s.Injectors[i].Name == "" {
			m.Add("spec.injectors[%d].name must not be empty", i)
		}
	}
	m.pipeline(pv.Name, s.Pipeline)
	return m.Err()
}

func (m *Messages) policies(s *PackageVariantSpec) {
	switch s.AdoptionPolicy {
	case "", AdoptNone, AdoptExisting:
	default:
		m.Add("spec.adoptionPolicy field can only be %q or %q", AdoptNone, AdoptExisting)
	}
	if !s.DeletionPolicy.IsKnown() {
		m.Add("spec.deletionPolicy can only be %q or %q", DeletionOrphan, DeletionDelete)
	}
}

// reservedKeys of a package context identify the package, and are set by the controller only.
var reservedKeys = []string{"name", "package-path"}

// ReservedKeyFaults lists the faults of the keys of a package context at a path.
func ReservedKeyFaults(path string, c *PackageContext) (faults []string) {
	if c == nil {
		return nil
	}
	refuse := func(part string, value any, key string) {
		at := field.NewPath(path).Child(part)
		faults = append(faults, field.Invalid(at, value, fmt.Sprintf("must not contain the key %q", key)).Error())
	}
	for _, key := range reservedKeys {
		if _, set := c.Data[key]; set {
			refuse("data", c.Data, key)
		}
	}
	for _, key := range c.RemoveKeys {
		if slices.Contains(reservedKeys, key) {
			refuse("removeKeys", c.RemoveKeys, key)
		}
	}
	return faults
}

// pipeline refuses names that would make the inserted functions unrecognisable: a function is
// called "PackageVariant.<variant>.<function>.<index>", and a fifth part could never be removed.
func (m *Messages) pipeline(variant string, p *kptfilev1.Pipeline) {
	if p.IsEmpty() {
		return
	}
	if strings.Contains(variant, ".") {
		m.Add("metadata.name must not contain '.' because the functions of spec.pipeline are named after it")
	}
	for _, list := range []struct {
		name string
		fns  []kptfilev1.Function
	}{{"mutators", p.Mutators}, {"validators", p.Validators}} {
		for i := range list.fns {
			if strings.Contains(list.fns[i].Name, ".") {
				m.Add("spec.pipeline.%s[%d].name must not contain '.'", list.name, i)
			}
		}
	}
}

// Validate returns a *ValidationError with every fault of the Repository, or nil.
func (r *Repository) Validate() error {
	var m Messages
	switch s := &r.Spec; s.Type {
	case RepositoryTypeGit:
		if s.Git == nil {
			m.require("spec.git", "")
		} else {
			m.require("spec.git.repo", s.Git.Repo)
		}
	case RepositoryTypeOCI:
		if s.OCI == nil {
			m.require("spec.oci", "")
		} else {
			m.require("spec.oci.registry", s.OCI.Registry)
		}
	case "":
		m.require("spec.type", "")
	default:
		m.Add("spec.type can only be %q or %q", RepositoryTypeGit, RepositoryTypeOCI)
	}
	return m.Err()
}
