package fn

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
)

type evalCommand struct {
	function           evalFunction
	output, resultsDir string
	save, truncate     bool
	list               string // where --save adds the function: mutator or validator
}

func newEvalCommand() *cobra.Command {
	var e evalCommand
	cmd := &cobra.Command{
		Use:   "eval [DIR|-] (--image IMAGE | --exec COMMAND) [flags] [-- [KIND] KEY=VALUE...]",
		Short: "Run one function over resources, in place",
		Long: `Eval runs one function on the resource files in DIR (default: the current directory) and in all
folders below, and writes the result back. DIR need not be a package, and no pipeline runs. Files
that the function did not change keep their bytes. If the function fails, nothing is written.

"-" reads resources from stdin, as YAML documents or one ResourceList, and prints a ResourceList.
With --output the files stay unchanged: "stdout" prints one ResourceList, "unwrap" prints plain
documents, and any other value is a directory to create, which must not exist.

The config of the function is the object in the --fn-config file, or the arguments after "--". They
become the data of a ConfigMap, or of an object of another KIND if a kind comes first.

--match flags select the resources that the function gets: a resource must match all of them. A
resource that matches all --exclude flags is left out.

--save adds the function with these settings to the Kptfile in DIR, or updates its entry.

A linked function needs no container, so --mount, --env and --network have no effect on it. --env
NAME passes a variable on and keeps its value out of the process list.

Environment: KRM_FN_RUNTIME (or KPT_FN_RUNTIME) names the container engine for --runtime auto.
KPT_IMAGE_PREFIX is put before image names without a slash.`,
		Example: `  # in place, with arguments
  waybill fn eval web -i set-namespace:v0.4 -- namespace=shop

  # a program of this machine, on the Deployments only
  waybill fn eval web --exec ./bump --match-kind Deployment

  # run it, and add it to the pipeline of web/Kptfile
  waybill fn eval web -i set-labels:v0.2 --save --type mutator -- tier=front

  # through a pipe
  waybill fn render web -o stdout | waybill fn eval - -i set-labels:v0.2 -- a=b`,
		Args:              cli.Args(evalArgs),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE: func(cmd *cobra.Command, args []string) error {
			dirs, values := cutAtDash(cmd, args)
			return e.run(cmd, cli.FolderArg(dirs, 0), values)
		},
	}
	e.function.add(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&e.output, "output", "o", "", "stdout, unwrap, or a `DIR` to create")
	cli.CompleteOutput(cmd, "output")
	flags.StringVar(&e.resultsDir, "results-dir", "", "`DIR` to write results.yaml to")
	flags.BoolVarP(&e.save, "save", "s", false, "add the function to the Kptfile in DIR; needs --type")
	cli.AddChoice(cmd, &e.list, "type", "t", "", "what the function is in the Kptfile, for --save: %s", "mutator", "validator")
	flags.BoolVar(&e.truncate, "truncate-output", false, "print at most four lines of the output of each function")
	flags.StringArrayP("keywords", "k", nil, "accepted without effect: kpt uses it to complete image names")
	deprecateMeta(flags, "m")
	return cmd
}

// evalArgs allows one DIR before "--", and any arguments after it.
func evalArgs(cmd *cobra.Command, args []string) error {
	if dirs, _ := cutAtDash(cmd, args); len(dirs) > 1 {
		return fmt.Errorf("want at most one DIR, got %d; arguments of the function go after '--'", len(dirs))
	}
	return nil
}

func cutAtDash(cmd *cobra.Command, args []string) (before, after []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

type evalJob struct {
	render.Evaluation
	functions runner.Factory
	source    *evalSource
}

func (e *evalCommand) run(cmd *cobra.Command, dir string, values []string) error {
	job, err := cli.Await(cmd.Context(), func() (*evalJob, error) { return e.prepare(cmd.InOrStdin(), dir, values) })
	if err != nil {
		return err
	}
	result, err := e.eval(cmd.Context(), cmd.ErrOrStderr(), job)
	if err == nil {
		err = e.write(cmd.OutOrStdout(), cmd.ErrOrStderr(), job, result)
	}
	return errors.Join(err, reportResults(cmd.ErrOrStderr(), e.resultsDir, result.Steps, err))
}

// prepare checks everything that can be wrong before the function runs.
func (e *evalCommand) prepare(stdin io.Reader, dir string, values []string) (*evalJob, error) {
	if e.save && e.list == "" {
		return nil, cli.Usagef("--type must be specified if saving functions to Kptfile (--save=true)")
	}
	job, err := e.function.prepare(values)
	if err != nil {
		return nil, err
	}
	if job.source, err = openSource(stdin, dir, e.save, render.FilesFor(&job.Function)); err != nil {
		return nil, err
	}
	if e.save {
		if err := e.function.checkSave(job, values); err != nil {
			return nil, err
		}
	}
	if e.toNewDir() {
		return job, cli.CheckAbsent(e.output)
	}
	return job, nil
}

func (e *evalCommand) eval(ctx context.Context, stderr io.Writer, job *evalJob) (*render.Result, error) {
	progress := &renderProgress{out: stderr, truncate: e.truncate}
	result, err := job.source.eval(ctx, job.Evaluation, render.Options{Functions: job.functions, Observe: progress.observe})
	if err != nil {
		err = fmt.Errorf("eval %q: %w", job.source.name, err)
	}
	return result, err
}
