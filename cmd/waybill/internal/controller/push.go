package controller

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/translation"
)

type pushFlags struct {
	table, credentials, inventory, caFile string
	with                                  translation.Options
}

func (f *pushFlags) add(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.with
	flags.StringVar(&f.table, "push-table", "", "push Translations to the backend that this table describes: "+
		"`NAME` of one that comes along, or a file")
	flags.StringVar(&o.URL, "push-url", "", "`URL` of the backend's API")
	flags.StringVar(&f.credentials, "push-credentials", "", "`NAMESPACE/NAME` of the Secret with username, password, project and token, "+
		"as the table needs them")
	flags.StringVar(&f.inventory, "push-inventory", "", "`NAMESPACE[/NAME]` of the BackendInventory of what was applied "+
		"(default name: the table's)")
	flags.StringSliceVar(&o.Namespaces, "push-namespace", nil, "`NAME` of a namespace whose Translations are pushed, repeatable; "+
		"all when there is none")
	flags.StringVar(&f.caFile, "push-ca-file", "", "`FILE` with the certificates, as PEM, by which the backend is known "+
		"(default: the system's)")
	flags.BoolVar(&o.URLMoved, "push-url-moved", false, "go on if the inventory is of another URL: the backend has moved, "+
		"and has all that it had")
	flags.BoolVar(&o.AllowEmpty, "push-allow-empty", false, "have everything deleted when no Translation is left at all")
	flags.DurationVar(&o.Interval, "push-interval", time.Second, "least time between two passes")
	flags.DurationVar(&o.Timeout, "push-timeout", 30*time.Second, "most time for one request")
	flags.Float32Var(&o.Rate, "push-rate", 100, "most requests in a second")
}

// pushFlagNames are the flags that need --push-table.
var pushFlagNames = []string{
	"push-url", "push-credentials", "push-inventory", "push-namespace", "push-ca-file", "push-url-moved",
	"push-allow-empty", "push-interval", "push-timeout", "push-rate",
}

// options returns nil if the controller does not run.
func (f *pushFlags) options(cmd *cobra.Command) (*translation.Options, error) {
	if f.table == "" {
		return nil, refuse(cmd, "goes with --push-table", pushFlagNames...)
	}
	if f.with.URL == "" || f.inventory == "" {
		return nil, cli.Usagef("--push-table wants --push-url and --push-inventory")
	}
	namespace, name, both := strings.Cut(f.inventory, "/")
	f.with.Inventory = types.NamespacedName{Namespace: namespace, Name: name}
	if both && name == "" {
		return nil, cli.Usagef("--push-inventory %q: want NAMESPACE or NAMESPACE/NAME", f.inventory)
	}
	var err error
	if f.with.Credentials, err = objectName("push-credentials", f.credentials); err != nil {
		return nil, err
	}
	return cli.Await(cmd.Context(), f.read)
}

func (f *pushFlags) read() (*translation.Options, error) {
	table, _, err := cli.ReadBackendTable(f.table)
	if err != nil {
		return nil, err
	}
	f.with.Table, f.with.Proxy = table, http.ProxyFromEnvironment
	if f.caFile != "" {
		if f.with.CABundle, err = os.ReadFile(f.caFile); err != nil {
			return nil, fmt.Errorf("read certificates: %w", err)
		}
	}
	if err := f.with.Check(); err != nil {
		return nil, cli.Usagef("%v", err)
	}
	return &f.with, nil
}
