package pkg

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

func newTreeCommand() *cobra.Command {
	var out cli.Printer
	cmd := &cobra.Command{
		Use:   "tree [DIR]",
		Short: "Show the objects of a package, by folder and file",
		Long: `Tree lists the objects in the YAML files and Kptfiles of DIR (default: the current directory), and
marks packages. It leaves out files that the .krmignore of DIR hides, JSON files, and values without
a kind. It also leaves out a folder without objects of its own, and lists what is in it under the
next folder above.

Exit codes: 0 done; 1 failed; 2 wrong usage.`,
		Example: `  waybill pkg tree edge

  # for programs
  waybill pkg tree edge -o json`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompletePackages,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, name, err := folderOf(args)
			if err != nil {
				return err
			}
			root, err := readTree(dir, name)
			if err != nil {
				return fmt.Errorf("package %q: %w", name, err)
			}
			if out.Format != "table" {
				return out.Print(cmd.OutOrStdout(), TreeReport{cli.TypeMeta("PackageTree"), *root}, nil, nil)
			}
			return root.print(cmd.OutOrStdout())
		},
	}
	out.AddAs(cmd, "output", "o", "how to print: %s; table is a tree")
	return cmd
}

// TreeReport is a package, as JSON and YAML show it.
type TreeReport struct {
	metav1.TypeMeta `json:",inline"`
	Folder          `json:",inline"`
}

// Folder is a folder of a package, as JSON and YAML show it.
type Folder struct {
	Name      string     `json:"name"`
	Path      string     `json:"path"` // from DIR; "." for DIR itself
	Package   bool       `json:"package"`
	Resources []Resource `json:"resources"`
	Folders   []*Folder  `json:"folders"`

	empty bool // no file holds an object, of any kind
}

// Resource is one object.
type Resource struct {
	File       string `json:"file"` // in its folder
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// readTree reads the folder dir, which is called name.
func readTree(dir, name string) (*Folder, error) {
	limits := render.InputFiles
	limits.Only = func(name string) bool { return render.Reads(name) && path.Ext(name) != ".json" }
	tree, err := pkgtree.ReadDir(dir, limits)
	if err != nil {
		return nil, err
	}
	if tree, err = readable(tree); err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return nil, err
	}
	folders := map[string]*Folder{".": newFolder(tree, ".", name)}
	for _, o := range items {
		if o.Kind() == "" {
			continue
		}
		file := render.FileOf(o)
		at := path.Dir(file)
		if folders[at] == nil {
			folders[at] = newFolder(tree, at, path.Base(at))
		}
		folders[at].Resources = append(folders[at].Resources, Resource{path.Base(file), o.APIVersion(), o.Kind(), o.Namespace(), o.Name()})
	}
	folders["."].empty = len(items) == 0
	return nest(folders), nil
}

// readable is tree without what no package of objects is made of: files that are a list, such as a patch, and the .krmignore of folders.
// The rules of the outermost .krmignore count for packages below, too, as in kpt pkg tree.
func readable(tree pkgtree.Tree) (pkgtree.Tree, error) {
	changes, outermost := map[string][]byte{}, pkgtree.Tree{}
	if rules := tree.Blob(load.IgnoreFile); rules != nil {
		var err error
		if outermost, err = pkgtree.FromBlobs(map[string]*pkgtree.Blob{load.IgnoreFile: rules}); err != nil {
			return tree, err
		}
	}
	hidden := load.Hidden(outermost)
	for file, blob := range tree.All() {
		isRule := path.Base(file) == load.IgnoreFile
		if isRule && path.Dir(file) != "." || !isRule && (hidden(file) || startsList(blob.Data())) {
			changes[file] = nil
		}
	}
	return tree.Apply(changes)
}

// startsList reports whether the first line with content is an item, and not a field.
func startsList(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' && !bytes.HasPrefix(line, []byte("---")) {
			return line[0] == '-' || line[0] == '['
		}
	}
	return false
}

func newFolder(tree pkgtree.Tree, at, name string) *Folder {
	return &Folder{Name: name, Path: at, Package: tree.Blob(path.Join(at, kptfile.Name)) != nil, Resources: []Resource{}, Folders: []*Folder{}}
}

// nest puts each folder into the next one above that has objects, and returns the root.
func nest(folders map[string]*Folder) *Folder {
	for _, at := range slices.Sorted(maps.Keys(folders)) {
		f := folders[at]
		slices.SortFunc(f.Resources, func(a, b Resource) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
				cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.APIVersion, b.APIVersion))
		})
		if at == "." {
			continue
		}
		above := path.Dir(at)
		for folders[above] == nil {
			above = path.Dir(above)
		}
		folders[above].Folders = append(folders[above].Folders, f)
	}
	return folders["."]
}

// folderOf returns the folder that the argument names (default: the current one), and its name.
func folderOf(args []string) (dir, name string, err error) {
	dir = cli.FolderArg(args, 0)
	if !cli.IsDir(dir) {
		return "", "", fmt.Errorf("%q is not a folder", dir)
	}
	abs, err := filepath.Abs(dir)
	return dir, filepath.Base(abs), err
}
