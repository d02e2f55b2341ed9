package local

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
			if twin := seen[o.ID()]; twin != nil {
				return nil, fmt.Errorf("%s: %s is given twice; it stands in %s, too", o.Source, o.Describe(), twin.Source)
			}
			seen[o.ID()] = o
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

func (in *Input) add(o *krm.Object) error {
	if o.Group() != porchconfig.Group {
		if o.Is("", "Secret") { // credentials are never injected into a package
			in.secrets[Key{o.Namespace(), o.Name()}] = o
		} else {
			in.Context = append(in.Context, o)
		}
		return nil
	}
	switch o.Kind() {
	case porchconfig.KindRepository:
		r, err := porchconfig.ReadRepository(o)
		if err != nil {
			return err
		}
		in.repositories[Key{r.Namespace, r.Name}] = &repository{r, filepath.Dir(o.Source.File)}
	case porchconfig.KindPackageVariant:
		pv, err := porchconfig.ReadPackageVariant(o)
		if err != nil {
			return err
		}
		in.Variants = append(in.Variants, pv)
	default:
		return fmt.Errorf("this release does not reconcile %s objects; leave %q out", o.Kind(), o.Name())
	}
	return nil
}

func readPath(path string, stdin io.Reader) ([]*krm.Object, error) {
	if path == "-" {
		return readAll("stdin", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path)
	}
	var out []*krm.Object
	err = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != path && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
			return nil
		}
		objs, err := readFile(file)
		out = append(out, objs...)
		return err
	})
	return out, err
}

func readFile(path string) ([]*krm.Object, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(path, f)
}

func readAll(name string, r io.Reader) ([]*krm.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	objs, err := krm.Read(name, data, krm.Limits{})
	if err != nil {
		return nil, err
	}
	for _, o := range objs {
		if o.Kind() == "" || o.APIVersion() == "" || o.Name() == "" {
			return nil, fmt.Errorf("%s: %w", o.Source, errors.New("an object needs apiVersion, kind and metadata.name"))
		}
	}
	return objs, nil
}
