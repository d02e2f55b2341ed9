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
		Short: "Make a backend hold what Translations ask for",
		Long: `Apply plans as plan does, or reads a plan with --plan, and carries it out. The inventory is written
before each request. Whenever it is interrupted or killed, the same command goes on from there: what
was done is not done again, and what may have been done is made sure of.

An operation that fails stops those of its Translation and those that need it; the others go on.
What may pass is tried again, with waits of 30 seconds at most between, until five rounds in
succession bring nothing: some 20 requests and 10 minutes for what never gets better. --timeout
bounds a request, nothing bounds the whole; it can be interrupted at any time. Apply prints what
became of each operation: done; skipped, which an earlier run of the same plan did; failed, with a
class (retry, conflict, gone, permanent or auth); or not-attempted.

The inventory remembers the address at which it was first applied, and is applied at no other: all
in it would pass for done there. --url-moved says that the backend is still the same one.

With --dry-run it makes sure of settings, plan and inventory, contacts no server and writes
nothing; what would be done is called planned.

Settings are flags, or variables of the environment: WAYBILL_PUSH_URL, _USERNAME, _PASSWORD, _TOKEN,
_PROJECT and _CA_FILE. Passwords and tokens are never arguments: they come from there, or from the
files of --password-file and --token-file. For the table midonet the variables of midonet-kubernetes
count, too: MIDONET_API, MIDONET_USERNAME, MIDONET_PASSWORD and MIDONET_PROJECT, or the same behind
MIDONETKUBE_, with its defaults. Proxies are those of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.

Exit codes: 0 the backend holds what is asked for; 1 something failed or was not attempted, or
something is wrong with a Translation; 2 wrong usage. With --exit-code: 0 nothing was to be done,
1 something was done, or would be, and nothing is wrong, 2 something is wrong.`,
		Example: `  # a package, to a backend that wants a token
  waybill push apply net --backend dns.yaml --url https://dns.example.com/v1 --token-file token

  # a plan that was looked at
  waybill push apply --plan plan.yaml --backend midonet --inventory net.midonet.inventory`,
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(a.exitCode, a.run(cmd, args)) },
	}
	a.in.add(cmd)
	a.settings.add(cmd)
	cmd.Flags().StringVar(&a.planFile, "plan", "", "`FILE` of a BackendPlan to carry out, or - for stdin, in place of Translations")
	cmd.Flags().BoolVar(&a.dryRun, "dry-run", false, "do everything but ask the backend and write the inventory")
	cmd.Flags().BoolVar(&a.urlMoved, "url-moved", false, "go on if the inventory is of another URL: the backend has moved, "+
		"and has all that it had")
	cmd.Flags().BoolVar(&a.exitCode, "exit-code", false, "tell by the exit code whether anything was done")
	a.out.Add(cmd)
	return cmd
}

func (a *applyCommand) check(args []string) error {
	switch {
	case a.planFile != "" && (len(args) > 0 || len(a.in.files) > 0 || a.in.allowEmpty):
		return cli.Usagef("--plan says all that is to be done: leave DIR, --filename and --allow-empty out")
	case a.planFile != "" && a.in.inventory == "":
		return cli.Usagef("say --inventory: a plan names no package that an inventory could stand beside")
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
