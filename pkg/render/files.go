package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// ReadDir reads the files in dir that Render reads.
func ReadDir(dir string) (pkgtree.Tree, error) {
	return ReadWith(func(limits pkgtree.Limits) (pkgtree.Tree, error) { return pkgtree.ReadDir(dir, limits) })
}

// ReadWith reads InputFiles and, if a function of a pipeline there reads files that are no resources, all files.
func ReadWith(read func(pkgtree.Limits) (pkgtree.Tree, error)) (pkgtree.Tree, error) {
	tree, err := read(InputFiles)
	if err == nil && readsFiles(tree) {
		return read(allFiles)
	}
	return tree, err
}

// FilesFor selects the files that Eval reads for a function: InputFiles, or all files.
func FilesFor(f *kptfilev1.Function) pkgtree.Limits {
	if choose.ReadsFiles(f) {
		return allFiles
	}
	return InputFiles
}

// allFiles leaves out links in the place of files that are no resources.
var allFiles = pkgtree.Limits{MayLink: func(tree pkgtree.Tree) func(string) bool {
	may := load.MayLink(tree)
	return func(link string) bool { return !Reads(path.Base(link)) || may(link) }
}}

// readsFiles reports whether a function of a pipeline reads files that are no resources. A Kptfile that is not valid counts as one
// without functions: the render reports it.
func readsFiles(tree pkgtree.Tree) bool {
	for file, blob := range tree.All() {
		if path.Base(file) != kptfile.Name {
			continue
		}
		k, err := kptfile.Parse(file, blob.Data())
		if err != nil || k.Spec.Pipeline == nil {
			continue
		}
		for _, f := range slices.Concat(k.Spec.Pipeline.Mutators, k.Spec.Pipeline.Validators) {
			if choose.ReadsFiles(&f) {
				return true
			}
		}
	}
	return false
}

// contents are the files of a tree during a render.
type contents struct {
	tree   pkgtree.Tree
	before origins
}

// filesFor are the files of p that the function of run reads, as items make them at this moment.
func (c contents) filesFor(run runner.Runner, config *krm.Object, p *load.Package, items []*krm.Object) (fn.Files, error) {
	reader, ok := run.(runner.FileReader)
	if !ok {
		return nil, nil
	}
	asked, err := reader.FilePaths(config)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	asked = slices.Clone(asked)
	for i, name := range asked {
		if !fn.IsFilePath(name) {
			return nil, fmt.Errorf("it reads %q, which is no path inside of the package", name)
		}
		asked[i] = path.Join(p.Dir, name)
	}
	after := byFile(items)
	files := fn.Files{}
	for _, name := range c.named(asked, after) {
		data, err := c.bytes(name, after[name])
		if err != nil {
			return nil, err
		}
		own := strings.TrimPrefix(name, p.Dir+"/")
		if !fn.IsFilePath(own) {
			return nil, fmt.Errorf("it reads %q, and no function can read a file of this name", own)
		}
		files[own] = data
	}
	return files, files.Check()
}

// named are the files at or below one of asked: files that hold no resources, and those that hold some at this moment.
func (c contents) named(asked []string, after map[string][]*krm.Object) (names []string) {
	isAsked := func(name string) bool {
		return slices.ContainsFunc(asked, func(at string) bool {
			return at == "." || name == at || strings.HasPrefix(name, at+"/")
		})
	}
	for name := range c.tree.All() {
		if len(c.before[name]) == 0 && len(after[name]) == 0 && isAsked(name) {
			names = append(names, name)
		}
	}
	for name := range after {
		if isAsked(name) {
			names = append(names, name)
		}
	}
	return names
}

// bytes are those of a file that holds objs, or of one without resources.
func (c contents) bytes(name string, objs []*krm.Object) ([]byte, error) {
	if objs = inFileOrder(objs); len(objs) > 0 && !c.before.unchanged(name, objs) {
		return c.before.encode(nil, c.tree, name, objs)
	}
	data, _ := c.tree.Get(name)
	return data, nil
}
