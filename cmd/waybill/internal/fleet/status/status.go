// Package status has the command `waybill fleet status`.
package status

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/hub"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

type command struct {
	files     []string
	hub       cli.ClusterFlags
	namespace string
	opts      combine.Options
	out       cli.Printer
	unapplied []string // clusters with hand-overs that no agent has applied yet
}

// NewCommand returns `waybill fleet status`.
func NewCommand() *cobra.Command {
	s := command{opts: combine.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "status [DIR]",
		Short: "Show what clusters report, as StatusCollectors ask for it",
		Long: `Status reads the objects of the package in DIR (default: the current directory, unless --filename
names files): Bindings, the objects that they name, StatusCollectors, and the reports of clusters,
which are WorkStatuses and ManifestWorks with a status. With --kubeconfig or --context it reads the
reports from the hub, and ignores those in files. It accepts Lists as kubectl prints them.

For each object that a Binding names, one line shows how many of its clusters report about the
version that was sent last. Below it are the clusters that failed to apply the object, with the
message of their API server, that miss it, whose report is stale, or whose state is unknown; then
the results of each StatusCollector. A warning on stderr names the clusters that are not known to
have applied a hand-over: do not end hand-overs before they have. -o json and -o yaml print the
CombinedStatuses as a List, as the function combine-status writes them, the lines of the table under
"objects", and these clusters under "unappliedHandOvers".

Errors go to stderr and give exit code 1; the rest is printed all the same. The table cuts long
values.`,
		Example: `  # of a package that also holds the reports
  waybill fleet status shop

  # of a package, with reports that kubectl printed
  waybill fleet status shop -f reports.yaml -o yaml

  # of a package, with the current reports of one cluster from the hub
  waybill fleet status shop --context hub -n edge1`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	cli.AddFiles(cmd, &s.files)
	s.hub.Add(cmd)
	cmd.Flags().StringVarP(&s.namespace, "namespace", "n", "", "only the reports in this namespace of the hub, which is one cluster")
	cli.CompleteNamespaces(cmd, &s.hub.Kubeconfig, "namespace")
	cmd.Flags().StringVar(&s.opts.WDSName, "wds-name", s.opts.WDSName,
		"`NAME` of the workload space whose reports count (default: that of the works in the package);\n"+
			"reports that name none count always; \"\" for all")
	cmd.Flags().Lookup("wds-name").DefValue = "" // it depends on the package
	cmd.Flags().BoolVar(&s.opts.NullAsNull, "null-as-null", false, "print null as Null and lists as Array, not as Object")
	s.out.Add(cmd)
	return cmd
}

func (s *command) check() error {
	if s.namespace != "" && !s.hub.Given() {
		return cli.Usagef("--namespace is for a hub; name one by --kubeconfig or --context")
	}
	if s.opts.WDSName == "" {
		return nil
	}
	for _, err := range s.opts.Validate(field.NewPath("spec")) {
		return cli.Usagef("--wds-name %q: %s", s.opts.WDSName, err.Detail)
	}
	return nil
}

func (s *command) run(cmd *cobra.Command, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	items, err := s.read(cmd, args)
	if err != nil {
		return err
	}
	snapshot, err := combine.NewSummary(cmd.Context(), items, s.opts)
	if err != nil {
		return err
	}
	if len(snapshot.LeftOut) > 0 {
		return fmt.Errorf("no report counts: all are about workload space %s, not %q; choose one with --wds-name",
			alternatives(snapshot.LeftOut), s.opts.WDSName)
	}
	if err := s.print(cmd.OutOrStdout(), snapshot.Objects); err != nil {
		return err
	}
	warnOfHandOvers(cmd.ErrOrStderr(), s.unapplied)
	return printFaults(cmd.ErrOrStderr(), snapshot.Results)
}

func (s *command) read(cmd *cobra.Command, args []string) ([]*krm.Object, error) {
	if len(args) == 0 && len(s.files) == 0 {
		args = []string{"."}
	}
	items, err := cli.AwaitObjects(cmd, slices.Concat(args, s.files))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, func(o *krm.Object) bool { return o.Is(control.Group, control.KindBinding) }) {
		return nil, errors.New("the input holds no Binding; the function bind-resolve makes Bindings from BindingPolicies")
	}
	all := items
	if s.hub.Given() {
		found, err := s.listHub(cmd.Context(), cmd.ErrOrStderr())
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(slices.Clone(items), func(o *krm.Object) bool { return reports.Reports(o.Group(), o.Kind()) })
		all = append(all, found...)
	}
	s.unapplied = unappliedHandOvers(items, all, s.namespace)
	return all, s.chooseSpace(cmd, items, all)
}

// printFaults prints results, the worst first. It returns an error if there is an error among them.
func printFaults(w io.Writer, results sdk.Results) error {
	failed := 0
	for _, r := range fn.WorstFirst(results) {
		fmt.Fprintln(w, cli.SafeText(fn.FormatResult(r)))
		if r.Severity == sdk.Error {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s; see above", selection.Count(failed, "fault"))
	}
	return nil
}

// reporting are the resources with reports on a hub.
var reporting = []schema.GroupVersionResource{
	{Group: control.Group, Version: control.Version, Resource: "workstatuses"},
	hub.ManifestWorks,
}

// listHub lists the reports on the hub. It prints which kinds the hub does not have.
func (s *command) listHub(ctx context.Context, stderr io.Writer) (out []*krm.Object, err error) {
	cfg, err := cli.Await(ctx, s.hub.Config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	missing := 0
	for _, resource := range reporting {
		found, err := hub.List(ctx, client.Resource(resource).Namespace(s.namespace), metav1.ListOptions{})
		switch {
		case apierrors.IsNotFound(err):
			missing++
			fmt.Fprintf(stderr, "the hub does not know %s\n", resource.GroupResource())
		case err != nil:
			return nil, fmt.Errorf("list %s: %w", resource.GroupResource(), err)
		}
		out = append(out, found...)
	}
	if missing == len(reporting) {
		return nil, errors.New("the cluster is no hub: it knows no kind of report")
	}
	return out, nil
}
