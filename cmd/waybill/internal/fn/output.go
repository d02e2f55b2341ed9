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
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// write puts what was rendered where --output says. Of a render that failed it writes what the
// package asks to keep, and its status if that is asked for, in place only.
func (r *renderCommand) write(stdout io.Writer, dir string, before pkgtree.Tree, result *render.Result, failure error) error {
	if r.output == "" {
		return r.writeInPlace(dir, before, result, failure)
	}
	if failure != nil {
		return nil
	}
	var data []byte
	var err error
	switch r.output {
	case "stdout":
		data, err = (&fn.List{Items: cli.PrintableItems(result.Items)}).Write()
	case "unwrap":
		data, err = krm.Write(result.Items)
	default:
		return writeNewDir(r.output, result)
	}
	if err == nil {
		_, err = stdout.Write(data)
	}
	return err
}

func (r *renderCommand) writeInPlace(dir string, before pkgtree.Tree, result *render.Result, failure error) error {
	after := before
	if failure == nil || result.Partial {
		after = result.Tree
	}
	if r.writeStatus && result.Packages > 0 { // else there is no Kptfile that can be read
		var err error
		if after, err = render.WithStatus(after, result.Steps, failure); err != nil {
			return fmt.Errorf("write status: %w", err)
		}
	}
	return pkgtree.WriteDir(dir, before, after)
}

// writeNewDir writes the rendered resources, and nothing else, to a directory that must not exist.
func writeNewDir(dir string, result *render.Result) error {
	tree, err := resourceFiles(result)
	if err != nil {
		return err
	}
	return makeDir(dir, tree)
}

// resourceFiles is the part of a rendered package that holds resources.
func resourceFiles(result *render.Result) (pkgtree.Tree, error) {
	files := map[string][]byte{}
	for _, o := range result.Items {
		file := render.FileOf(o)
		files[file], _ = result.Tree.Get(file)
	}
	return pkgtree.New(files)
}

// makeDir makes a directory, which must not exist, of tree: whole, whenever it is there.
func makeDir(dir string, tree pkgtree.Tree) error {
	dir = filepath.Clean(dir)
	if err := cli.CheckAbsent(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { // #nosec G301 -- a package is for everyone to read
		return err
	}
	err := pkgtree.MakeDir(dir, tree)
	if errors.Is(err, fs.ErrExist) { // it has come since
		return cmp.Or(cli.CheckAbsent(dir), err)
	}
	return err
}
