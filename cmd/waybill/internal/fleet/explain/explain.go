// Package explain has the command `waybill fleet explain`.
package explain

import (
	"errors"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/explain"
)

type command struct {
	functions cli.FunctionFlags
	dir       string
	fields    bool
	whatIf    sides.WhatIfFlags
	exitCode  bool
	output    string
}

// NewCommand returns `waybill fleet explain`.
func NewCommand() *cobra.Command {
	var e command
	cmd := &cobra.Command{
		Use:   "explain CLUSTER[/KIND[.GROUP]/[NAMESPACE/]NAME[#FIELD]]",
		Short: "Explain why a cluster receives its objects, and where values come from",
		Long: `Explain renders the package in a folder and answers a question about one cluster. It needs no
cluster. It uses the network only for images that pipelines name and that are not linked in. It
writes nothing except the cache.

  CLUSTER    what the cluster receives, by which policies, and why other policies send it nothing

  CLUSTER/KIND/NAMESPACE/NAME
             why the cluster receives an object (policy, clause, labels, Binding, work), or why
             not. KIND is a kind, a plural or a short name such as cm; write KIND.GROUP if several
             groups have the kind. Without a namespace: CLUSTER/KIND/NAME

  …#FIELD    where the value of a field comes from: file and line, and every function that changed
             it, with the source of the new value. A field with fields below it stands for all of
             them. Write names with dots in brackets, and items as [name=web] or [0]

A folder without a Kptfile stands for the packages below it. Values of Secrets are not shown.

Exit codes: 0 explained, also if the object or value is missing; 1 failed; 2 wrong usage. With
--exit-code: 0 it is there, 1 it is missing, 2 failed.`,
		Example: `  # what does this cluster run, and why?
  waybill fleet explain zurich-1 --dir examples/edge-fleet/blueprint

  # why does lab-1 not receive the flags? would a production site receive them?
  waybill fleet explain lab-1/configmap/shop/feature-flags
  waybill fleet explain lab-1/configmap/shop/feature-flags --cluster-label lab-1=tier=prod

  # which functions set this image?
  waybill fleet explain 'zurich-1/deployment/shop/web#spec.template.spec.containers[name=web].image'`,
		Args:              cli.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: cli.Complete(e.find, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace),
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.WithExitCode(e.exitCode, e.run(cmd, args[0]))
		},
	}
	flags := cmd.Flags()
	e.functions.Add(cmd)
	e.functions.AddWasm(cmd)
	flags.StringVar(&e.dir, "dir", ".", "`DIR` of the package, or of several packages")
	cli.CompletePackageFlags(cmd, "dir")
	flags.BoolVar(&e.fields, "fields", false, "explain every field of the object")
	e.whatIf.Add(cmd, &e.dir)
	flags.BoolVar(&e.exitCode, "exit-code", false, "exit with 1 if the object or value is missing, and with 2 after a failure")
	flags.StringVarP(&e.output, "output", "o", "text", "how to print: "+strings.Join(formats, ", "))
	cli.CompleteChoices(cmd, "output", formats...)
	return cmd
}

// formats are the values of --output.
var formats = []string{"text", "json", "yaml"}

func (e *command) run(cmd *cobra.Command, text string) error {
	q, err := e.question(text)
	if err != nil {
		return err
	}
	progress := cli.NewProgress(cmd.ErrOrStderr())
	snapshot, err := e.load(cmd.Context(), progress)
	progress.Done()
	if err != nil {
		return err
	}
	x, err := snapshot.Explain(q)
	var several *explain.AmbiguousError
	if errors.As(err, &several) {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err}
	}
	if err != nil {
		return err
	}
	if err := e.print(cmd, x); err != nil {
		return err
	}
	if e.exitCode && !x.There {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

func (e *command) question(text string) (explain.Question, error) {
	if e.output == "table" { // the name that other commands use
		e.output = "text"
	}
	if !slices.Contains(formats, e.output) {
		return explain.Question{}, cli.Usagef("--output %q: want %s", e.output, strings.Join(formats, ", "))
	}
	q, err := explain.ParseQuestion(text)
	if err != nil {
		return q, &cli.ExitError{Code: cli.ExitUsage, Err: err}
	}
	if e.fields && (q.Kind == "" || q.Field != nil) {
		return q, cli.Usagef("--fields is about an object: CLUSTER/KIND/NAMESPACE/NAME")
	}
	q.Fields = e.fields
	return q, nil
}

func (e *command) print(cmd *cobra.Command, x *waybillapi.FleetExplanation) error {
	if e.output == "text" {
		return cli.WithoutCommands(cmd.OutOrStdout(), func(w io.Writer) error { return explain.Text(w, x) })
	}
	revise(x, builtFrom())
	return cli.PrintSafe(cmd.OutOrStdout(), e.output, x)
}

// builtFrom returns the commit that this program was built from, with .dirty if the work tree had changes; "" if unknown.
func builtFrom() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += ".dirty"
	}
	return revision
}

// revise appends the commit to the versions of linked functions, which have no digest.
func revise(x *waybillapi.FleetExplanation, revision string) {
	if revision == "" {
		return
	}
	for i := range x.Fields {
		for j := range x.Fields[i].Steps {
			if f := x.Fields[i].Steps[j].Function; f != nil && f.Linked != "" {
				f.Linked += "+" + revision
			}
		}
	}
}
