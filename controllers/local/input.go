package local

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// Key names a namespaced object.
type Key struct{ Namespace, Name string }

func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Input is what the files hold.
type Input struct {
	Variants []*porchconfig.PackageVariant // by namespace and name; Expand adds those of Sets
	Sets     []*v1alpha2.PackageVariantSet // by namespace and name
	Context  []*krm.Object                 // everything that is none of ours: objects to inject

	unexpanded   []Key                             // Sets whose variants are not known
	objects      map[variantset.Kind][]*krm.Object // all but Secrets: what a set can select
	budgets      []*waybill.ChangeBudget
	repositories map[Key]*repository
	secrets      map[Key]*krm.Object
}

// repository is a Repository object and the folder of its file, from which a relative path counts.
type repository struct {
	*porchconfig.Repository
	dir string
}

// Read reads every object of the files, of the files below the folders, and, for "-", of stdin.
// Two objects of one identity are an error.
func Read(paths []string, stdin io.Reader) (*Input, error) {
	in := &Input{objects: map[variantset.Kind][]*krm.Object{}, repositories: map[Key]*repository{}, secrets: map[Key]*krm.Object{}}
	seen := map[krm.ID]*krm.Object{}
	for _, path := range paths {
		objs, err := readPath(path, stdin)
		if err != nil {
			return nil, err
		}
		if len(objs) == 0 {
			return nil, noObject(source(path))
		}
		for _, o := range objs {
			id := o.ID()
			id.Namespace = cmp.Or(id.Namespace, defaultNamespace)
			if twin := seen[id]; twin != nil {
				return nil, fmt.Errorf("%s: %s is given twice; it stands in %s, too", o.Source, unplaced(o).Describe(), twin.Source)
			}
			seen[id] = o
			if err := in.add(o); err != nil {
				return nil, fmt.Errorf("%s: %w", o.Source, err)
			}
		}
	}
	sortByName(in.Variants)
	sortByName(in.Sets)
	return in, in.checkBudgets()
}

// sortByName sorts by namespace and name.
func sortByName[T metav1.Object](list []T) {
	slices.SortFunc(list, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
}

// defaultNamespace is where an API server would put an object that names no namespace.
const defaultNamespace = "default"

func (in *Input) add(o *krm.Object) error {
	key := Key{cmp.Or(o.Namespace(), defaultNamespace), o.Name()}
	if o.Is("", "Secret") { // credentials are neither injected into a package nor selected
		in.secrets[key] = o
		return nil
	}
	kind := variantset.Kind{APIVersion: o.APIVersion(), Kind: o.Kind()}
	in.objects[kind] = append(in.objects[kind], o)
	switch o.Group() {
	case porchconfig.Group:
		return in.addPorch(key, o)
	case waybill.Group:
		return in.addOurs(key, o)
	}
	in.Context = append(in.Context, o)
	if err := checkLabels(o); err != nil {
		return err
	}
	return checkKind(o)
}

func (in *Input) addPorch(key Key, o *krm.Object) error {
	switch o.Kind() {
	case porchconfig.KindRepository:
		r, err := porchconfig.ReadRepository(unplaced(o))
		if err != nil {
			return err
		}
		in.repositories[key] = &repository{r, filepath.Dir(o.Source.File)}
	case porchconfig.KindPackageVariant:
		pv, err := porchconfig.ReadPackageVariant(unplaced(o))
		if err != nil {
			return err
		}
		pv.Namespace = key.Namespace
		in.Variants = append(in.Variants, pv)
	case v1alpha2.KindPackageVariantSet:
		set, err := v1alpha2.ReadPackageVariantSet(unplaced(o))
		if err != nil {
			return err
		}
		set.Namespace = key.Namespace
		in.Sets = append(in.Sets, set)
	default:
		return unknownKind(o)
	}
	return nil
}

func (in *Input) addOurs(key Key, o *krm.Object) error {
	if o.Kind() != waybill.KindChangeBudget {
		return unknownKind(o)
	}
	b, err := waybill.ReadChangeBudget(unplaced(o))
	if err != nil {
		return err
	}
	b.Namespace = key.Namespace
	if errs := validation.ChangeBudget(b); len(errs) > 0 {
		return fmt.Errorf("%s: %w", unplaced(o).Describe(), errs.ToAggregate())
	}
	in.budgets = append(in.budgets, b)
	return nil
}

func unknownKind(o *krm.Object) error {
	return fmt.Errorf("this release does not reconcile %s objects; leave %q out", o.Kind(), o.Name())
}

// unplaced is o for errors that say already where it stands.
func unplaced(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.Source = krm.Source{}
	return c
}
