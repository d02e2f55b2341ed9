package fn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/selection"
)

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
		Long: `Render runs the functions in the Kptfiles of the package in DIR (default: the current directory),
subpackages first, and writes the result back. Files that no function changed keep their bytes.

If a function fails, nothing is written. With the annotation kpt.dev/save-on-render-failure: "true"
in the Kptfile in DIR, the result of the functions before it is kept. With the annotation
kpt.dev/bfs-rendering: "true", pipelines run from DIR downwards.

With --output the package stays unchanged: "stdout" prints one ResourceList, "unwrap" prints plain
documents, and any other value is a directory to create, which must not exist.

Environment: KRM_FN_RUNTIME (or KPT_FN_RUNTIME) names the container engine for --runtime auto.
KPT_IMAGE_PREFIX is put before image names without a slash.

Waybill caches the results of images that a digest pins, and of whole packages whose functions are
all such images or linked in. The cache holds up to 1 GiB in the folder that WAYBILL_CACHE_DIR names
(default: waybill in your cache folder). Only you can read it, and it never holds Secrets. For an
image that reads the clock or random numbers, use --no-cache.`,
		Example: `  # in place
  waybill fn render examples/edge-fleet/blueprint

  # look only
  waybill fn render examples/edge-fleet/blueprint -o unwrap`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return r.run(cmd, cli.FolderArg(args, 0)) },
	}
	r.functions.Add(cmd)
	r.functions.AddWasm(cmd)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "stdout, unwrap, or a `DIR` to create")
	cli.CompleteOutput(cmd, "output")
	cmd.Flags().StringVar(&r.resultsDir, "results-dir", "", "`DIR` to write results.yaml to")
	cmd.Flags().BoolVar(&r.writeStatus, "write-status", false, "write the outcome into the status of the Kptfile in DIR, "+
		"as newer releases of kpt do")
	cmd.Flags().BoolVar(&r.truncate, "truncate-output", false, "print at most four lines of the output of each function")
	cmd.Flags().DurationVar(&r.timeout, "timeout", render.DefaultTimeout, "stop all functions together after this time, and write nothing")
	return cmd
}

func (r *renderCommand) run(cmd *cobra.Command, dir string) error {
	if r.timeout <= 0 {
		return cli.Usagef("--timeout %s: want more than 0", r.timeout)
	}
	factory, err := r.functions.NewFactory()
	if err != nil {
		return err
	}
	read := render.ReadDir
	if r.output == "" {
		read = func(dir string) (pkgtree.Tree, error) { return cli.ReadFinished(cmd.ErrOrStderr(), dir) }
	}
	tree, err := read(dir)
	if err != nil {
		return err
	}
	result, err := r.render(cmd.Context(), cmd.ErrOrStderr(), dir, tree, factory)
	written := r.write(cmd.OutOrStdout(), dir, tree, result, err)
	reported := reportResults(cmd.ErrOrStderr(), r.resultsDir, result.Steps, errors.Join(err, written))
	if !r.truncate {
		err = withoutResults(err, result.Steps)
	}
	return errors.Join(err, written, reported)
}

// withoutResults is the error of a render without the errors that a function reported in its results, which were printed already.
func withoutResults(err error, steps []render.Step) error {
	var placed *render.Error
	if !errors.As(err, &placed) || placed.Error() != err.Error() || placed.Function == "" {
		return err
	}
	printed := 0
	for _, s := range steps {
		for _, r := range s.Results {
			if s.Err != nil && r.Severity == sdk.Error {
				printed++
			}
		}
	}
	if printed == 0 {
		return err
	}
	reason := fmt.Errorf("it reported %s, see above", selection.Count(printed, "error"))
	return &render.Error{Package: placed.Package, Function: placed.Function, Step: placed.Step, Err: reason}
}

// render renders tree and prints its progress. With an error it also returns the result so far.
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
		Functions: factory, Name: filepath.Base(abs), Observe: progress.observe, Cache: r.cache(), Timeout: r.timeout, InPlace: r.output == "",
	})
	if err == nil {
		fmt.Fprintf(stderr, "Successfully executed %d function(s) in %d package(s).\n", len(result.Steps), result.Packages)
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

// cache returns the cache of whole renders. It holds no items, so a command that prints items cannot use it.
func (r *renderCommand) cache() render.Cache {
	if r.output != "" {
		return nil
	}
	return r.functions.RenderCache()
}
