package local

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Key names a namespaced object.
type Key struct{ Namespace, Name string }

func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Input is what the files hold.
type Input struct {
	Variants []*porchconfig.PackageVariant // by namespace and name
	Context  []*krm.Object                 // everything that is none of ours: objects to inject

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
	in := &Input{repositories: map[Key]*repository{}, secrets: map[Key]*krm.Object{}}
	seen := map[krm.ID]*krm.Object{}
	for _, path := range paths {
		objs, err := readPath(path, stdin)
		if err != nil {
			return nil, err
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
	slices.SortFunc(in.Variants, func(a, b *porchconfig.PackageVariant) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return in, nil
}

// defaultNamespace is where an API server would put an object that names no namespace.
const defaultNamespace = "default"

func (in *Input) add(o *krm.Object) error {
	key := Key{cmp.Or(o.Namespace(), defaultNamespace), o.Name()}
	if o.Group() != porchconfig.Group {
		if o.Is("", "Secret") { // credentials are never injected into a package
			in.secrets[key] = o
		} else {
			in.Context = append(in.Context, o)
		}
		return nil
	}
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
	default:
		return fmt.Errorf("this release does not reconcile %s objects; leave %q out", o.Kind(), o.Name())
	}
	return nil
}

// unplaced is o for errors that say already where it stands.
func unplaced(o *krm.Object) *krm.Object {
	c := o.DeepCopy()
	c.Source = krm.Source{}
	return c
}
