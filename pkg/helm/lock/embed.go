package lock

import (
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// embedFile is the file with the PackageFiles of the configs in a file.
func embedFile(c *Config) string { return strings.TrimSuffix(c.File, path.Ext(c.File)) + ".files.yaml" }

// embed writes the files that the configs read into PackageFiles objects beside them, for all configs or for those that have one.
func embed(tree pkgtree.Tree, configs []*Config, all bool) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for _, group := range byFile(configs) {
		p := embedFile(group[0])
		if !all && tree.Blob(p) == nil {
			continue
		}
		var objects []*krm.Object
		for _, c := range group {
			files, err := filesOf(tree, c)
			if err != nil {
				return tree, err
			}
			o, err := files.Object(c.Name)
			if err != nil {
				return tree, err
			}
			if len(files) > 0 {
				objects = append(objects, o)
			}
		}
		data, err := krm.Write(objects)
		if err != nil {
			return tree, err
		}
		if changes[p] = data; len(objects) == 0 {
			changes[p] = nil
		}
	}
	return tree.Apply(changes)
}

// filesOf are the files that a config reads, by their paths from the package that it is in.
func filesOf(tree pkgtree.Tree, c *Config) (fn.Files, error) {
	f, err := readLockFile(tree, c.LockFile())
	if err != nil {
		return nil, err
	}
	l, err := f.lock(c.Name)
	if err != nil {
		return nil, err
	}
	pkg, files := tree.PackageOf(c.File), fn.Files{}
	for p, b := range tree.All() {
		if slices.ContainsFunc(inputsOf(c, l), func(in string) bool { return p == in || strings.HasPrefix(p, in+"/") }) {
			files[relative(path.Join(pkg, "Kptfile"), p)] = b.Data()
		}
	}
	return files, files.Check()
}

// inputsOf are the files and folders that a config reads: charts and values.
func inputsOf(c *Config, l *Lock) (out []string) {
	for _, chart := range l.Charts {
		out = append(out, path.Join(path.Dir(c.File), chart.Path))
	}
	for _, w := range c.Charts {
		out = append(out, w.Files...)
	}
	return out
}

// Inputs are the files and folders that the configs in one file read, and the file of their lock. A file that cannot be read has none.
func Inputs(tree pkgtree.Tree, p string) (out []string) {
	if b := tree.Blob(p); b == nil || !maybeConfig(p, b) || inChart(tree, p) {
		return nil
	}
	objects, err := krm.Read(p, tree.Blob(p).Data(), krm.Limits{})
	if err != nil {
		return nil
	}
	for _, o := range objects {
		if !IsConfig(o) {
			continue
		}
		c, err := ReadConfig(p, o)
		if err != nil {
			continue
		}
		out = append(out, c.LockFile())
		if f, err := readLockFile(tree, c.LockFile()); err == nil {
			if l, err := f.lock(c.Name); err == nil {
				out = append(out, inputsOf(c, l)...)
			}
		}
	}
	return out
}
