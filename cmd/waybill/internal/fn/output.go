package fn

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/render/report"
)

// write writes the result where --output says. After a failure it writes only in place: what the package asks to keep, and
// its status if the user asks for it.
func (r *renderCommand) write(stdout io.Writer, dir string, before pkgtree.Tree, result *render.Result, failure error) error {
	if r.output == "" {
		return r.writeInPlace(dir, before, result, failure)
	}
	if failure != nil {
		return nil
	}
	switch r.output {
	case "stdout":
		return cli.WriteList(stdout, r.output, &fn.List{Items: cli.PrintableItems(result.Items)})
	case "unwrap":
		return cli.WriteList(stdout, r.output, &fn.List{Items: result.Items})
	}
	tree, err := resourceFiles(result)
	if err != nil {
		return err
	}
	return makeDir(r.output, tree)
}

func (r *renderCommand) writeInPlace(dir string, before pkgtree.Tree, result *render.Result, failure error) error {
	after := before
	if failure == nil || result.Partial {
		after = result.Tree
	}
	if r.writeStatus && result.Packages > 0 { // otherwise there is no valid Kptfile
		var err error
		if after, err = report.WithStatus(after, result.Steps, failure); err != nil {
			return fmt.Errorf("write status: %w", err)
		}
	}
	return pkgtree.WriteDir(dir, before, after)
}

func resourceFiles(result *render.Result) (pkgtree.Tree, error) {
	files := map[string][]byte{}
	for _, o := range result.Items {
		file := render.FileOf(o)
		files[file], _ = result.Tree.Get(file)
	}
	return pkgtree.New(files)
}

// makeDir writes tree to a directory that must not exist: completely or not at all.
func makeDir(dir string, tree pkgtree.Tree) error {
	dir = filepath.Clean(dir)
	if err := cli.CheckAbsent(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { // #nosec G301 -- a package is readable for all users
		return err
	}
	err := pkgtree.MakeDir(dir, tree)
	if errors.Is(err, fs.ErrExist) { // another process made it
		return cmp.Or(cli.CheckAbsent(dir), err)
	}
	return err
}

// reportResults writes results.yaml in kpt's form to dir, if the user named one. Its exit code is 1 after any failure: of a
// function, of its output, or of writing the package.
func reportResults(stderr io.Writer, dir string, steps []render.Step, failure error) error {
	if dir == "" {
		return nil
	}
	data, err := report.ResultsFile(steps, failure != nil)
	if err == nil {
		err = os.MkdirAll(dir, 0o755) // #nosec G301 -- results are readable for all users
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "results.yaml"), data, 0o644) // #nosec G306 -- as above
	}
	if err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	fmt.Fprintf(stderr, "\nFor complete results, see %s\n", cli.SafeText(filepath.Join(dir, "results.yaml")))
	return nil
}
