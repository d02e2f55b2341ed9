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
		"`NAME` of a built-in table, or a file")
	flags.StringVar(&o.URL, "push-url", "", "`URL` of the backend's API")
	flags.StringVar(&f.credentials, "push-credentials", "", "`NAMESPACE/NAME` of the Secret with the username, password, project and "+
		"token that the table needs")
	flags.StringVar(&f.inventory, "push-inventory", "", "`NAMESPACE[/NAME]` of the BackendInventory, which lists what was applied "+
		"(default name: the name of the table)")
	flags.StringSliceVar(&o.Namespaces, "push-namespace", nil, "`NAME` of a namespace whose Translations are pushed, repeatable "+
		"(default: all)")
	flags.StringVar(&f.caFile, "push-ca-file", "", "`FILE` with the CA certificates of the backend, as PEM "+
		"(default: those of the system)")
	flags.BoolVar(&o.URLMoved, "push-url-moved", false, "go on if the inventory is of another URL: the backend's URL changed, "+
		"and its data is intact")
	flags.BoolVar(&o.AllowEmpty, "push-allow-empty", false, "delete everything when no Translation is left")
	flags.DurationVar(&o.Interval, "push-interval", time.Second, "least time between two reconciles")
	flags.DurationVar(&o.Timeout, "push-timeout", 30*time.Second, "the longest time of one request")
	flags.Float32Var(&o.Rate, "push-rate", 100, "the most requests in a second")
	cli.CompleteBackends(cmd, "push-table")
}

// options returns nil if the controller does not run.
func (f *pushFlags) options(cmd *cobra.Command) (*translation.Options, error) {
	if f.table == "" {
		return nil, refusePrefix(cmd, "push-", "push-table")
	}
	if f.with.URL == "" || f.inventory == "" {
		return nil, cli.Usagef("--push-table needs --push-url and --push-inventory")
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
