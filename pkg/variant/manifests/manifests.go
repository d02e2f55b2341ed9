// Package manifests reads Repositories, PackageVariants, PackageVariantSets, ChangeBudgets, Secrets and context objects from
// YAML and JSON files.
//
// Shape: Read turns paths into Manifests. It refuses what an API server would refuse and what is probably a slip, as an object
// that is not recognized counts as deleted. NearMiss finds objects that a set would select if it were not for a slip.
// Cost: one parse per file.
// Errors: name the file and line, or the object and field.
package manifests

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Manifests are the objects of files.
type Manifests struct {
	Variants          []*porchconfig.PackageVariant // by namespace and name
	Sets              []*v1alpha2.PackageVariantSet // by namespace and name
	ChangeBudgets     []*waybill.ChangeBudget
	RepositoryObjects map[types.NamespacedName]*Repository
	Secrets           map[types.NamespacedName]*krm.Object
	Context           []*krm.Object                    // objects of other kinds, which may be injected
	ByKind            map[injection.Kind][]*krm.Object // all but Secrets: what a set can select
	Warnings          []string                         // what was read otherwise than it is written, each with its place
	// Unreadable says why a PackageVariant cannot be read; in Variants it has only its name, labels and downstream.
	Unreadable map[types.NamespacedName]error
}

// Repository is a Repository object and the folder of its file: relative paths in it start there.
type Repository struct {
	*porchconfig.Repository
	Dir string
}

// Read reads every object of the files, of the files below the folders, and, for "-", of stdin.
// Two objects of one identity are an error. If only PackageVariants cannot be read, it is an *UnreadableError, and the
// other objects can be used.
func Read(paths []string, stdin io.Reader) (*Manifests, error) {
	m := &Manifests{ByKind: map[injection.Kind][]*krm.Object{}, RepositoryObjects: map[types.NamespacedName]*Repository{},
		Secrets: map[types.NamespacedName]*krm.Object{}, Unreadable: map[types.NamespacedName]error{}}
	seen := map[krm.ID]*krm.Object{}
	for _, path := range paths {
		objs, err := readPath(path, stdin)
		if err != nil {
			return nil, err
		}
		for _, o := range objs {
			id := o.ID()
			id.Namespace = cmp.Or(id.Namespace, DefaultNamespace)
			if twin := seen[id]; twin != nil {
				return nil, fmt.Errorf("%s: %s occurs twice; it is also in %s", o.Source, describe(o), twin.Source)
			}
			seen[id] = o
			if err := m.add(o); err != nil {
				return nil, fmt.Errorf("%s: %w", o.Source, err)
			}
		}
	}
	SortByName(m.Variants)
	SortByName(m.Sets)
	return m, cmp.Or(m.checkBudgets(), m.unreadable())
}

// SortByName sorts by namespace and name.
func SortByName[T metav1.Object](list []T) {
	slices.SortFunc(list, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
}

// DefaultNamespace is where an API server would put an object that names no namespace.
const DefaultNamespace = "default"

func (m *Manifests) add(o *krm.Object) error {
	key := types.NamespacedName{Namespace: cmp.Or(o.Namespace(), DefaultNamespace), Name: o.Name()}
	if o.Is("", "Secret") { // credentials are neither injected nor selected
		m.Secrets[key] = o
		return nil
	}
	kind := injection.Kind{APIVersion: o.APIVersion(), Kind: o.Kind()}
	m.ByKind[kind] = append(m.ByKind[kind], o)
	switch o.Group() {
	case porchconfig.Group:
		return m.addPorch(key, o)
	case waybill.Group:
		return m.addOurs(key, o)
	}
	m.Context = append(m.Context, o)
	if err := checkLabels(o); err != nil {
		return err
	}
	return checkKind(o)
}

func (m *Manifests) addPorch(key types.NamespacedName, o *krm.Object) error {
	o, warning := numbered(o)
	if warning != "" {
		m.Warnings = append(m.Warnings, warning)
	}
	switch o.Kind() {
	case porchconfig.KindRepository:
		r, err := porchconfig.ReadRepository(unplaced(o))
		m.RepositoryObjects[key] = &Repository{r, filepath.Dir(o.Source.File)}
		return err
	case porchconfig.KindPackageVariant:
		if err := add(&m.Variants, key, o, porchconfig.ReadPackageVariant); err != nil {
			m.Unreadable[key] = fmt.Errorf("%s: %w", o.Source, err)
			m.Variants = append(m.Variants, stub(key, o))
		}
		return nil
	case v1alpha2.KindPackageVariantSet:
		return add(&m.Sets, key, o, v1alpha2.ReadPackageVariantSet)
	}
	return unknownKind(o)
}

func (m *Manifests) addOurs(key types.NamespacedName, o *krm.Object) error {
	if o.Kind() != waybill.KindChangeBudget {
		return unknownKind(o)
	}
	if err := add(&m.ChangeBudgets, key, o, waybill.ReadChangeBudget); err != nil {
		return err
	}
	if errs := validation.ChangeBudget(m.ChangeBudgets[len(m.ChangeBudgets)-1]); len(errs) > 0 {
		return fmt.Errorf("%s: %w", describe(o), errs.ToAggregate())
	}
	return nil
}

// add adds an object to a list, in its namespace.
func add[T metav1.Object](list *[]T, key types.NamespacedName, o *krm.Object, read func(*krm.Object) (T, error)) error {
	typed, err := read(unplaced(o))
	if err != nil {
		return err
	}
	typed.SetNamespace(key.Namespace)
	*list = append(*list, typed)
	return nil
}

func unknownKind(o *krm.Object) error {
	return fmt.Errorf("this release does not reconcile %s objects; leave %q out", o.Kind(), o.Name())
}

// unplaced is o for errors that name its place already.
func unplaced(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.Source = krm.Source{}
	return c
}

func describe(o *krm.Object) string { return unplaced(o).Describe() }

// checkBudgets refuses a budget in a namespace without variants and sets, if another namespace has some and no budget.
func (m *Manifests) checkBudgets() error {
	guarded := m.namespaces()
	bare := maps.Clone(guarded)
	for _, b := range m.ChangeBudgets {
		delete(bare, b.Namespace)
	}
	if len(bare) == 0 {
		return nil
	}
	for _, b := range m.ChangeBudgets {
		allowed, fault := selection.Allowed(b.Annotations)
		switch {
		case guarded[b.Namespace] || allowed:
			continue
		case fault != nil:
			return fmt.Errorf("ChangeBudget %s/%s: %w", b.Namespace, b.Name, fault)
		}
		return fmt.Errorf(
			"ChangeBudget %s/%s: there is no PackageVariant and no PackageVariantSet in namespace %q, so the budget has no effect; "+
				"there are some in %s, which has no budget: correct metadata.namespace, or %s", b.Namespace, b.Name, b.Namespace,
			strings.Join(slices.Sorted(maps.Keys(bare)), ", "), selection.SetAnnotation)
	}
	return nil
}

// namespaces are those of the variants and sets.
func (m *Manifests) namespaces() map[string]bool {
	all := map[string]bool{}
	for _, pv := range m.Variants {
		all[pv.Namespace] = true
	}
	for _, set := range m.Sets {
		all[set.Namespace] = true
	}
	return all
}
