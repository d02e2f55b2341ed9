package kustomize

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// inputs are the files of the package, by path from its folder: those that were passed, and those that the items make.
type inputs struct {
	files   fn.Files
	items   map[string][]*krm.Object // by file
	folders map[string]bool          // that hold a file, at any depth
	read    map[string][]byte        // what the build may read
}

// newInputs leaves out what an earlier run of the config built.
func newInputs(in *fn.Input, own fn.Rendering) (*inputs, error) {
	files, err := fn.PackageFiles(in)
	if err != nil {
		return nil, err
	}
	p := &inputs{files: maps.Clone(files), items: map[string][]*krm.Object{}, folders: map[string]bool{".": true}, read: map[string][]byte{}}
	root, built := fn.PackageFolder(in), own.Own(in.Items)
	for _, o := range in.Items {
		folder, inside := below(fn.Folder(o), root)
		file := path.Join(folder, path.Base(fn.FilePath(o)))
		switch {
		case fn.FilePath(o) == "" || !inside:
		case built[o]:
			delete(p.files, file)
		default:
			p.items[file] = append(p.items[file], o)
		}
	}
	for _, names := range []func(func(string) bool){keys(p.files), keys(p.items)} {
		for name := range names {
			for dir := path.Dir(name); !p.folders[dir]; dir = path.Dir(dir) {
				p.folders[dir] = true
			}
		}
	}
	return p, nil
}

func keys[V any](m map[string]V) func(func(string) bool) { return maps.Keys(m) }

// below is folder from root on.
func below(folder, root string) (string, bool) {
	if root == "" || folder == root {
		return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(folder, root), "/"), "."), true
	}
	rest, ok := strings.CutPrefix(folder, root+"/")
	return rest, ok
}

// get returns the bytes of a file. An annotation that says that an object is local configuration says it of the input, for which
// the package has it; what is built from it is workload.
func (p *inputs) get(name string) ([]byte, bool, error) {
	if data, known := p.read[name]; known {
		return data, true, nil
	}
	data, ok := p.files[name]
	if objs := p.items[name]; len(objs) > 0 && (!ok || slices.ContainsFunc(objs, (*krm.Object).IsLocalConfig)) {
		copies := make([]*krm.Object, len(objs))
		for i, o := range slices.SortedStableFunc(slices.Values(objs), func(a, b *krm.Object) int { return a.Index() - b.Index() }) {
			copies[i] = o.DeepCopy()
			copies[i].RemoveAnnotations(func(key string) bool { return key == krm.LocalConfigAnnotation })
		}
		text, err := krm.Write(copies)
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", name, err)
		}
		data, ok = text, true
	}
	if ok {
		p.read[name] = data
	}
	return data, ok, nil
}

// shippedTwice reports the objects that the build read and that are workload as they are, too.
func (p *inputs) shippedTwice() (out sdk.Results) {
	for _, name := range slices.Sorted(maps.Keys(p.read)) {
		for _, o := range p.items[name] {
			if !o.IsLocalConfig() {
				out = append(out, fn.NewResult(sdk.Error, o, nil, "the kustomization reads this object, and the package has it as a "+
					"resource, too, so it would be shipped twice; put the folder into "+
					".krmignore, or set the annotation %s: \"true\"", krm.LocalConfigAnnotation))
			}
		}
	}
	return out
}
