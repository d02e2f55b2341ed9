package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// fnRender holds the flags of one `waybill fn render`.
type fnRender struct {
	functions          functionFlags
	output, resultsDir string
}

// functionFlags are the flags of every command that runs functions.
type functionFlags struct {
	choose.Options
}

func (f *functionFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Runtime, "runtime", "auto", "how functions run: "+strings.Join(choose.Runtimes, ", ")+"; auto runs linked functions in-process and others in a container")
	flags.BoolVar(&f.AllowExec, "allow-exec", false, "allow pipelines to run executables of this machine")
	flags.BoolVar(&f.AllowNetwork, "allow-network", false, "give containers the network")
	flags.StringVar(&f.PullPolicy, "image-pull-policy", "IfNotPresent", "when to pull images: IfNotPresent, Always, Never")
}

// factory completes the flags from the environment, which kpt users set, and makes the factory.
func (f *functionFlags) factory() (choose.Options, error) {
	o := f.Options
	o.ImagePrefix = os.Getenv("KPT_IMAGE_PREFIX")
	if o.Engine = os.Getenv("KRM_FN_RUNTIME"); o.Engine == "" {
		o.Engine = os.Getenv("KPT_FN_RUNTIME")
	}
	if _, err := o.Factory(); err != nil {
		return o, &exitError{exitUsage, err}
	}
	return o, nil
}

func newFnRenderCommand() *cobra.Command {
	var r fnRender
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Run the pipelines of a package and its subpackages, in place",
		Long: `Render runs the functions that the Kptfiles of the package in DIR (default: the current
directory) declare, subpackages first, and writes the result back. Files that no function changed
keep their bytes. When anything fails, nothing is written.

With --output the package is not touched: "stdout" prints one ResourceList, "unwrap" prints plain
documents, anything else is a directory to make, which must not exist.`,
		Example: `  # in place
  waybill fn render examples/edge-fleet/blueprint

  # look only
  waybill fn render examples/edge-fleet/blueprint -o unwrap`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return r.run(cmd, dir)
		},
	}
	r.functions.add(cmd)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "stdout, unwrap, or a `DIR` to make")
	cmd.Flags().StringVar(&r.resultsDir, "results-dir", "", "`DIR` to write results.yaml to")
	return cmd
}

func (r *fnRender) run(cmd *cobra.Command, dir string) error {
	options, err := r.functions.factory()
	if err != nil {
		return err
	}
	factory, err := options.Factory()
	if err != nil {
		return err
	}
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	progress := &renderProgress{out: cmd.ErrOrStderr()}
	result, err := render.Render(cmd.Context(), tree, render.Options{
		Functions: factory, Name: filepath.Base(abs), Observe: progress.observe,
	})
	if r.resultsDir != "" {
		if werr := writeResults(r.resultsDir, result.Steps, err); werr != nil && err == nil {
			err = werr
		}
	}
	if err != nil {
		return err
	}
	progress.summary(len(result.Steps), result.Packages)
	return r.write(cmd.OutOrStdout(), dir, tree, result)
}

func (r *fnRender) write(stdout io.Writer, dir string, before pkgtree.Tree, result *render.Result) error {
	switch r.output {
	case "":
		return pkgtree.WriteDir(dir, before, result.Tree)
	case "stdout":
		data, err := (&fn.List{Items: forPrinting(result.Items)}).Write()
		if err == nil {
			_, err = stdout.Write(data)
		}
		return err
	case "unwrap":
		data, err := krm.Write(result.Items)
		if err == nil {
			_, err = stdout.Write(data)
		}
		return err
	}
	return writeNewDir(r.output, result)
}

// forPrinting gives copies of items that carry only path and index, from the root package.
func forPrinting(items []*krm.Object) []*krm.Object {
	out := make([]*krm.Object, len(items))
	for i, o := range items {
		c := o.DeepCopy()
		c.RemoveAnnotations(krm.IsOrchestration)
		c.SetPath(render.FileOf(o), o.Index())
		out[i] = c
	}
	return out
}

// writeNewDir writes the rendered resources, and nothing else, to a directory that must not exist.
func writeNewDir(dir string, result *render.Result) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("directory %q already exists, please delete the directory and retry", dir)
	}
	files := map[string][]byte{}
	for _, o := range result.Items {
		file := render.FileOf(o)
		files[file], _ = result.Tree.Get(file)
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- a package is for everyone to read
		return err
	}
	return pkgtree.WriteDir(dir, pkgtree.Tree{}, tree)
}
