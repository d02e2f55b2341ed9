package push

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

type inputFlags struct {
	files              []string
	backend, inventory string
	allowEmpty         bool
}

func (p *inputFlags) add(cmd *cobra.Command) {
	cli.AddFiles(cmd, &p.files)
	cmd.Flags().StringVar(&p.backend, "backend", "", "`NAME` of a built-in table, or file of a BackendTable")
	cli.CompleteBackends(cmd, "backend")
	cmd.Flags().StringVar(&p.inventory, "inventory", "", "`FILE` of the inventory (default: DIR.BACKEND.inventory, beside the package)")
	cmd.Flags().BoolVar(&p.allowEmpty, "allow-empty", false, "go on without any Translation: everything in the inventory is deleted")
}

func (p *inputFlags) table() (*backendtable.Table, error) {
	if p.backend == "" {
		return nil, cli.Usagef("name the backend by --backend: %s, or the file of a BackendTable",
			strings.Join(backendtable.BuiltinNames(), ", "))
	}
	table, _, err := cli.ReadBackendTable(p.backend)
	return table, err
}

// paths returns where Translations are read from.
func (p *inputFlags) paths(args []string) []string {
	if len(args) == 0 && len(p.files) == 0 {
		args = []string{"."}
	}
	return slices.Concat(args, p.files)
}

// desired reads the Translations to push. A Translation that is being deleted wants nothing.
func (p *inputFlags) desired(cmd *cobra.Command, args []string) ([]plan.Translation, error) {
	items, err := cli.AwaitObjects(cmd, p.paths(args))
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(o *krm.Object) bool { return !o.Is(midonet.Group, midonet.KindTranslation) })
	if len(items) == 0 && !p.allowEmpty {
		return nil, errors.New("the input holds no Translation; use --allow-empty to delete everything that was pushed")
	}
	return decodeTranslations(items)
}

// decodeTranslations decodes all Translations or none: an unreadable one may want anything.
func decodeTranslations(items []*krm.Object) (out []plan.Translation, err error) {
	const most = 20
	var faults []error
	for _, o := range items {
		t, errs := midonet.DecodeTranslation(o)
		switch {
		case len(errs) > 0:
			faults = append(faults, fmt.Errorf("%s: %w", o.Describe(), errs.ToAggregate()))
		case t.DeletionTimestamp == nil:
			out = append(out, translationOf(t))
		}
	}
	if more := len(faults) - most; more > 0 {
		faults = append(faults[:most], fmt.Errorf("and %d more like these", more))
	}
	return out, errors.Join(faults...)
}

func translationOf(t *midonet.Translation) plan.Translation {
	out := plan.Translation{Namespace: t.Namespace, Name: t.Name}
	for _, r := range t.Resources {
		out.Resources = append(out.Resources, backendtable.Resource{Kind: r.Kind, Parent: r.Parent, Body: r.Body})
	}
	return out
}

// inventoryPath returns --inventory, or a path beside the package: each package needs its own inventory, as applying
// another's would delete that one's resources.
func (p *inputFlags) inventoryPath(args []string, backend string) (string, error) {
	if p.inventory != "" {
		return p.inventory, p.checkOutside(args)
	}
	paths := p.paths(args)
	if len(args) == 0 && len(p.files) > 0 || paths[0] == "-" {
		return "", cli.Usagef("name the inventory by --inventory: without DIR there is no package to put it beside")
	}
	dir, err := folderPath(paths[0])
	return fmt.Sprintf("%s.%s.inventory", dir, backend), err
}

// folderPath returns the folder's path in a form that a file name can extend.
func folderPath(dir string) (_ string, err error) {
	if !cli.IsDir(dir) {
		return "", cli.Usagef("%s is not a folder; use --filename for files", dir)
	}
	dir = filepath.Clean(dir)
	if base := filepath.Base(dir); base == "." || base == ".." {
		if dir, err = filepath.Abs(dir); err != nil {
			return "", err
		}
	}
	if filepath.Dir(dir) == dir {
		return "", cli.Usagef("name the inventory by --inventory: there is no place beside %s", dir)
	}
	return dir, nil
}

// checkOutside refuses an inventory that would become a resource of a package.
func (p *inputFlags) checkOutside(args []string) error {
	at, err := backendinventory.FilesAt(p.inventory)
	if err != nil || !render.Reads(filepath.Base(at.File)) {
		return err
	}
	home, err := realPath(filepath.Dir(at.File))
	if err != nil {
		return err
	}
	for _, path := range p.paths(args) {
		if path == "-" || !cli.IsDir(path) {
			continue
		}
		dir, err := realPath(path)
		if err != nil {
			return err
		}
		if within, err := filepath.Rel(dir, home); err == nil && within != ".." && !strings.HasPrefix(within, "../") {
			return cli.Usagef("--inventory %s: there it would be a resource of the package; use another folder, or a name that does not end in "+
				".yaml, .yml or .json", p.inventory)
		}
	}
	return nil
}

// realPath returns an absolute path without links.
func realPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
