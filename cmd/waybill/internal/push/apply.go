package push

import (
	"errors"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
	backendplan "github.com/waybill-dev/waybill/pkg/backend/plan"
	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
)

type applyCommand struct {
	in               inputFlags
	planFile         string
	settings         settingFlags
	dryRun, exitCode bool
	urlMoved         bool
	out              cli.Printer
}

func newApplyCommand() *cobra.Command {
	var a applyCommand
	cmd := &cobra.Command{
		Use:   "apply [DIR]",
		Short: "Apply Translations to a backend",
		Long: `Apply makes a plan as plan does, or reads one with --plan, and executes it. It writes the inventory
before each request. After an interruption, the same command continues: it repeats no finished
operation, and checks operations that may have happened.

A failed operation stops the later operations of its Translation and those that need it; the others
continue. Apply retries temporary failures, with waits of 30 seconds at most, until five rounds in
succession bring no progress: about 20 requests and 10 minutes for a permanent failure. --timeout
limits one request, nothing limits the whole; you can interrupt it at any time. Apply prints the
state of each operation: done; skipped, if an earlier run of the same plan did it; failed, with a
class (retry, conflict, gone, permanent or auth); or not-attempted.

The inventory records the URL of the first run, and apply refuses another URL: there, everything in
the inventory would wrongly count as done. --url-moved confirms that it is the same backend.

With --dry-run apply checks settings, plan and inventory, contacts no server and writes nothing;
operations are "planned".

Settings are flags, or environment variables: WAYBILL_PUSH_URL, _USERNAME, _PASSWORD, _TOKEN,
_PROJECT and _CA_FILE. Passwords and tokens are never arguments: they come from these variables, or
from the files of --password-file and --token-file. For the table midonet, the variables of
midonet-kubernetes also count: MIDONET_API, MIDONET_USERNAME, MIDONET_PASSWORD and MIDONET_PROJECT,
or the same with the prefix MIDONETKUBE_, with its defaults. HTTPS_PROXY, HTTP_PROXY and NO_PROXY
name proxies.

Exit codes: 0 the backend holds what Translations want; 1 an operation failed or was not attempted,
or a Translation has a problem; 2 wrong usage. With --exit-code: 0 there was nothing to do, 1
something was done, or would be, without a problem, 2 a problem.`,
		Example: `  # a package, to a backend that needs a token
  waybill push apply net --backend dns.yaml --url https://dns.example.com/v1 --token-file token

  # a reviewed plan
  waybill push apply --plan plan.yaml --backend midonet --inventory net.midonet.inventory`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(a.exitCode, a.run(cmd, args)) },
	}
	a.in.add(cmd)
	a.settings.add(cmd)
	cmd.Flags().StringVar(&a.planFile, "plan", "", "`FILE` of a BackendPlan to execute instead of Translations, or - for stdin")
	cmd.Flags().BoolVar(&a.dryRun, "dry-run", false, "do everything except contacting the backend and writing the inventory")
	cmd.Flags().BoolVar(&a.urlMoved, "url-moved", false, "go on if the inventory is of another URL: the backend's URL changed, "+
		"and its data is intact")
	cmd.Flags().BoolVar(&a.exitCode, "exit-code", false, "exit with 1 if anything was done, and with 2 after a failure")
	a.out.Add(cmd)
	return cmd
}

func (a *applyCommand) check(args []string) error {
	switch {
	case a.planFile != "" && (len(args) > 0 || len(a.in.files) > 0 || a.in.allowEmpty):
		return cli.Usagef("--plan holds all operations: leave DIR, --filename and --allow-empty out")
	case a.planFile != "" && a.in.inventory == "":
		return cli.Usagef("name the inventory by --inventory: a plan names no package")
	}
	return nil
}

func (a *applyCommand) run(cmd *cobra.Command, args []string) error {
	if err := a.check(args); err != nil {
		return err
	}
	work, err := a.prepare(cmd, args)
	if err != nil {
		return err
	}
	report, err := work.do(cmd.Context())
	if report == nil {
		return err
	}
	return errors.Join(report.print(cmd.OutOrStdout(), &a.out), report.exitError(cmd.ErrOrStderr(), err, a.exitCode))
}

// prepare reads everything except the inventory.
func (a *applyCommand) prepare(cmd *cobra.Command, args []string) (*applyRun, error) {
	table, err := cli.Await(cmd.Context(), a.in.table)
	if err != nil {
		return nil, err
	}
	w := &applyRun{stderr: cmd.ErrOrStderr(), backend: table.Name(), path: a.in.inventory, dryRun: a.dryRun, urlMoved: a.urlMoved}
	if a.planFile == "" {
		if w.path, err = a.in.inventoryPath(args, table.Name()); err != nil {
			return nil, err
		}
	}
	if w.client, err = cli.Await(cmd.Context(), func() (*httpclient.Client, error) { return a.client(table) }); err != nil {
		return nil, err
	}
	w.plan, err = a.planner(cmd, args, table)
	return w, err
}

// client returns a client for the backend; in a dry run, one that sends nothing.
func (a *applyCommand) client(table *backendtable.Table) (*httpclient.Client, error) {
	if a.dryRun {
		return a.settings.client(table, acceptAll{})
	}
	return a.settings.client(table, nil)
}

// acceptAll answers every request with success and sends none.
type acceptAll struct{}

func (acceptAll) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// planner makes a plan from an inventory, or returns the plan of a file.
type planner func(*backendinventory.Inventory) (*waybillapi.BackendPlan, error)

func (a *applyCommand) planner(cmd *cobra.Command, args []string, table *backendtable.Table) (planner, error) {
	if a.planFile != "" {
		plan, err := cli.Await(cmd.Context(), func() (*waybillapi.BackendPlan, error) { return readPlan(a.planFile, cmd.InOrStdin()) })
		return func(*backendinventory.Inventory) (*waybillapi.BackendPlan, error) { return plan, nil }, err
	}
	desired, err := a.in.desired(cmd, args)
	return func(i *backendinventory.Inventory) (*waybillapi.BackendPlan, error) {
		return backendplan.New(desired, table, i)
	}, err
}
