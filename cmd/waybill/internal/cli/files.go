package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// AwaitObjects is ReadObjects, and stops when the context of the command ends.
func AwaitObjects(cmd *cobra.Command, paths []string) ([]*krm.Object, error) {
	return Await(cmd.Context(), func() ([]*krm.Object, error) { return ReadObjects(paths, cmd.InOrStdin()) })
}

// ReadObjects reads the objects in files, in the resource files of folders and, for "-", on stdin.
func ReadObjects(paths []string, stdin io.Reader) (out []*krm.Object, err error) {
	for _, path := range paths {
		items, err := readPath(path, stdin)
		if err != nil {
			return nil, err
		}
		for _, o := range items {
			for _, part := range unpackList(o) {
				part.SetPath(part.File(), part.Index()) // so that messages name the file
				out = append(out, part)
			}
		}
	}
	return out, nil
}

func readPath(path string, stdin io.Reader) ([]*krm.Object, error) {
	if path == "-" {
		return readStream("stdin", stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readStream(path, f)
	}
	tree, err := pkgtree.ReadDir(path, render.InputFiles)
	if err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", path, err)
	}
	return items, nil
}

func readStream(name string, r io.Reader) ([]*krm.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return krm.Read(name, data, krm.Limits{})
}

// unpackList returns the objects in a List as kubectl prints it, or o alone.
func unpackList(o *krm.Object) []*krm.Object {
	items := o.Lookup("items")
	if o.APIVersion() != "v1" || o.Kind() != "List" || items == nil || items.Kind != yaml.SequenceNode {
		return []*krm.Object{o}
	}
	var out []*krm.Object
	for _, n := range items.Content {
		if n = krm.Deref(n); n.Kind == yaml.MappingNode {
			part := krm.FromNode(krm.SelfContained(n))
			part.Source = o.Source
			out = append(out, part)
		}
	}
	return out
}

// IsDir reports whether dir is a folder.
func IsDir(dir string) bool {
	st, err := os.Stat(dir)
	return err == nil && st.IsDir()
}

// AddFiles adds --filename.
func AddFiles(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringSliceVarP(files, "filename", "f", nil, "`PATH` of a file or folder of YAML objects, a pattern "+
		"such as '*.yaml', or - for stdin; repeatable")
	f := cmd.Flags().Lookup("filename")
	f.Value, f.DefValue = paths{f.Value}, ""
	CompleteObjectFiles(cmd, "filename")
}

// paths refuses an empty value, such as that of an unset variable, which pflag would drop from the list; and it expands patterns.
type paths struct{ pflag.Value }

// String is the default in help: nothing for an empty list.
func (v paths) String() string { return strings.Trim(v.Value.String(), "[]") }

func (v paths) Set(text string) error {
	if text == "" {
		return errors.New("the path is empty")
	}
	if !strings.ContainsAny(text, "*?[") {
		return v.Value.Set(text)
	}
	for pattern := range strings.SplitSeq(text, ",") {
		found, err := matching(pattern)
		if err != nil {
			return err
		}
		for _, file := range found {
			if err := v.Value.Set(`"` + strings.ReplaceAll(file, `"`, `""`) + `"`); err != nil { // it reads CSV
				return err
			}
		}
	}
	return nil
}

// matching are the files of a pattern, or the file that has this very name.
func matching(pattern string) ([]string, error) {
	if _, err := os.Lstat(pattern); err == nil {
		return []string{pattern}, nil
	}
	found, err := filepath.Glob(pattern)
	if err == nil && len(found) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return found, nil
}

// ReadBackendTable reads a built-in table, or else a file.
func ReadBackendTable(name string) (*backendtable.Table, []byte, error) {
	if slices.Contains(backendtable.BuiltinNames(), name) {
		return backendtable.Builtin(name)
	}
	text, err := os.ReadFile(name) // #nosec G304 -- the file that the user names
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, Usagef("backend %q: there is no built-in table of this name (%s), and no such file", name,
			strings.Join(backendtable.BuiltinNames(), ", "))
	}
	if err != nil {
		return nil, nil, err
	}
	table, err := backendtable.Read(name, text)
	return table, text, err
}
