package fn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// renderCommand holds the flags of one `waybill fn render`.
type renderCommand struct {
	functions             cli.FunctionFlags
	output, resultsDir    string
	writeStatus, truncate bool
	timeout               time.Duration
}

func newRenderCommand() *cobra.Command {
	var r renderCommand
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Run the pipelines of a package and its subpackages, in place",
		Long: `Render runs the functions that the Kptfiles of the package in DIR (default: the current
directory) declare, subpackages first, and writes the result back. Files that no function changed
keep their bytes. When a function fails, nothing is written, unless the Kptfile in DIR is annotated
kpt.dev/save-on-render-failure: "true": then what was done by then is kept. Annotated
kpt.dev/bfs-rendering: "true", pipelines run from DIR downwards.

With --output the package is not touched: "stdout" prints one ResourceList, "unwrap" prints plain
documents, anything else is a directory to make, which must not exist.

Environment: KRM_FN_RUNTIME (or KPT_FN_RUNTIME) names the container engine that --runtime auto
uses; KPT_IMAGE_PREFIX is put before images that are named without a slash.

What an image pinned by digest makes of its input is remembered, readable by you alone, in the
folder that WAYBILL_CACHE_DIR names (default: waybill in your cache folder), up to 1 GiB; and so is
what a whole package became, if all its functions are such images or linked in. What holds a Secret
never is. An image that reads the clock or random numbers gives an old answer then: use --no-cache.`,
		Example: `  # in place
  waybill fn render examples/edge-fleet/blueprint

  # look only
  waybill fn render examples/edge-fleet/blueprint -o unwrap`,
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd, cli.FolderArg(args, 0))
		},
	}
	r.functions.Add(cmd)
	r.functions.AddWasm(cmd)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "stdout, unwrap, or a `DIR` to make")
	cmd.Flags().StringVar(&r.resultsDir, "results-dir", "", "`DIR` to write results.yaml to")
	cmd.Flags().BoolVar(&r.writeStatus, "write-status", false, "write how rendering went into the status of DIR's Kptfile, "+
		"as newer releases of kpt do")
	cmd.Flags().BoolVar(&r.truncate, "truncate-output", false, "cut what functions say to four lines each")
	cmd.Flags().DurationVar(&r.timeout, "timeout", render.DefaultTimeout, "stop after this time, all functions together, and write nothing")
	return cmd
}

func (r *renderCommand) run(cmd *cobra.Command, dir string) error {
	if r.timeout <= 0 {
		return cli.Usagef("--timeout %s: want some time", r.timeout)
	}
	factory, err := r.functions.NewFactory()
	if err != nil {
		return err
	}
	if r.output == "" {
		if err := cli.FinishWrites(cmd.ErrOrStderr(), dir); err != nil {
			return err
		}
	}
	tree, err := pkgtree.ReadDir(dir, render.InputFiles)
	if err != nil {
		return err
	}
	result, err := r.render(cmd.Context(), cmd.ErrOrStderr(), dir, tree, factory)
	err = errors.Join(err, r.write(cmd.OutOrStdout(), dir, tree, result, err))
	return errors.Join(err, reportResults(cmd.ErrOrStderr(), r.resultsDir, result.Steps, err))
}

// render renders tree and prints its progress. With an error it also returns what was reached.
func (r *renderCommand) render(
	ctx context.Context, stderr io.Writer, dir string, tree pkgtree.Tree, factory runner.Factory,
) (*render.Result, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return &render.Result{}, err
	}
	if tree.Blob(kptfile.Name) == nil {
		return &render.Result{}, fmt.Errorf("render package %q: not a package: no %s at its root %s", filepath.Base(abs), kptfile.Name, abs)
	}
	progress := &renderProgress{out: stderr, truncate: r.truncate}
	result, err := render.Render(ctx, tree, render.Options{
		Functions: factory, Name: filepath.Base(abs), Observe: progress.observe, Cache: r.cache(), Timeout: r.timeout,
	})
	if err == nil {
		progress.summary(len(result.Steps), result.Packages)
		return result, nil
	}
	if result.Partial {
		progress.partial(result)
	}
	var placed *render.Error
	if !errors.As(err, &placed) { // an unreadable file is named relative to the package
		err = fmt.Errorf("render package %q: %w", filepath.Base(abs), err)
	}
	return result, err
}

// cache returns the cache of whole renders. It holds no items, so it is of no use if the user wants those.
func (r *renderCommand) cache() render.Cache {
	if r.output != "" || r.functions.Cache == nil {
		return nil
	}
	return r.functions.Cache
}
