package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

// pushInput says what is pushed where to; the flags that plan and apply share.
type pushInput struct {
	files              []string
	backend, inventory string
	allowEmpty         bool
}

func (p *pushInput) add(cmd *cobra.Command) {
	addFiles(cmd, &p.files)
	cmd.Flags().StringVar(&p.backend, "backend", "", "`NAME` of a table that comes along, or file of a BackendTable")
	cmd.Flags().StringVar(&p.inventory, "inventory", "", "`FILE` of the inventory (default: DIR.BACKEND.inventory, beside the package)")
	cmd.Flags().BoolVar(&p.allowEmpty, "allow-empty", false, "go on if there is no Translation: all that the inventory has is deleted")
}

// table is the backend's.
func (p *pushInput) table() (*table.Table, error) {
	if p.backend == "" {
		return nil, usage("say --backend: %s, or the file of a BackendTable", strings.Join(table.BuiltinNames(), ", "))
	}
	table, _, err := readTable(p.backend)
	return table, err
}

// places are where Translations are read from.
func (p *pushInput) places(args []string) []string {
	if len(args) == 0 && len(p.files) == 0 {
		args = []string{"."}
	}
	return slices.Concat(args, p.files)
}

// desired are the Translations that are to be pushed. One that waits for its deletion asks for nothing.
func (p *pushInput) desired(cmd *cobra.Command, args []string) ([]plan.Translation, error) {
	items, err := untilEnd(cmd.Context(), func() ([]*krm.Object, error) { return readObjects(p.places(args), cmd.InOrStdin()) })
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(o *krm.Object) bool { return !o.Is(midonet.Group, midonet.KindTranslation) })
	if len(items) == 0 && !p.allowEmpty {
		return nil, errors.New("there is no Translation in what was read; if all that was pushed is to be deleted, say --allow-empty")
	}
	return decodeTranslations(items)
}

// decodeTranslations reads what was written, all of it or nothing: what cannot be read may ask for anything.
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
		out.Resources = append(out.Resources, table.Resource{Kind: r.Kind, Parent: r.Parent, Body: r.Body})
	}
	return out
}

// inventoryPath is where the inventory is: where --inventory says, or beside the package, so that each
// package has its own. Pushed with the inventory of another, a package would have that one's resources
// deleted.
func (p *pushInput) inventoryPath(args []string, backend string) (string, error) {
	if p.inventory != "" {
		return p.inventory, p.checkOutside(args)
	}
	places := p.places(args)
	if len(args) == 0 && len(p.files) > 0 || places[0] == "-" {
		return "", usage("say --inventory: without DIR there is no package that an inventory could stand beside")
	}
	dir, err := beside(places[0])
	return fmt.Sprintf("%s.%s.inventory", dir, backend), err
}

// beside is a folder by a name that others can begin with.
func beside(dir string) (_ string, err error) {
	if !isDir(dir) {
		return "", usage("%s is no folder; files are for --filename", dir)
	}
	dir = filepath.Clean(dir)
	if base := filepath.Base(dir); base == "." || base == ".." {
		if dir, err = filepath.Abs(dir); err != nil {
			return "", err
		}
	}
	if filepath.Dir(dir) == dir {
		return "", usage("say --inventory: nothing stands beside %s", dir)
	}
	return dir, nil
}

// checkOutside refuses an inventory that would become a resource of a package.
func (p *pushInput) checkOutside(args []string) error {
	at, err := inventory.FilesAt(p.inventory)
	if err != nil || !render.Reads(filepath.Base(at.File)) {
		return err
	}
	home, err := realPath(filepath.Dir(at.File))
	if err != nil {
		return err
	}
	for _, place := range p.places(args) {
		if place == "-" || !isDir(place) {
			continue
		}
		dir, err := realPath(place)
		if err != nil {
			return err
		}
		if within, err := filepath.Rel(dir, home); err == nil && within != ".." && !strings.HasPrefix(within, "../") {
			return usage("--inventory %s: there it would be a resource of the package; put it elsewhere, or call it otherwise than .yaml, "+
				".yml or .json", p.inventory)
		}
	}
	return nil
}

// realPath is an absolute path without links in it.
func realPath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
