package repo

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

type getCommand struct {
	placeFlags
	all bool
	out cli.Printer
}

func newGetCommand() *cobra.Command {
	var g getCommand
	cmd := &cobra.Command{
		Use:     "get [NAME...]",
		Aliases: []string{"ls", "list"},
		Short:   "List Repository objects",
		Long: `Get lists Repository objects of all namespaces, or of --namespace. READY is what the controller of
the cluster says; files have no status. 'waybill rpkg get' reads the repositories themselves.`,
		Example: `  waybill repo get -f fleet`,
		RunE:    func(cmd *cobra.Command, names []string) error { return g.run(cmd, names) },
	}
	g.add(cmd)
	cmd.Flags().BoolVarP(&g.all, "all-namespaces", "A", false, "the objects of all namespaces (default)")
	g.out.Add(cmd)
	return cmd
}

// Row is a Repository object in the output.
type Row struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace,omitempty"`
	Type        string `json:"type"`
	Deployment  bool   `json:"deployment"`
	Ready       string `json:"ready,omitempty"`
	Message     string `json:"message,omitempty"`
	Address     string `json:"address"`
	Branch      string `json:"branch,omitempty"`
	Directory   string `json:"directory,omitempty"`
	Description string `json:"description,omitempty"`
}

func (g *getCommand) run(cmd *cobra.Command, names []string) error {
	if g.all && g.namespace != "" {
		return cli.Usagef("use either --namespace or --all-namespaces")
	}
	if err := g.check(cmd); err != nil {
		return err
	}
	objects, err := g.objects(cmd)
	if err != nil {
		return err
	}
	rows := []Row{}
	for _, obj := range objects {
		if (g.namespace == "" || obj.Namespace == g.namespace) && (len(names) == 0 || slices.Contains(names, obj.Name)) {
			rows = append(rows, newRow(obj))
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Name == name }) {
			return fmt.Errorf("there is no Repository %q", name)
		}
	}
	return g.out.Print(cmd.OutOrStdout(), cli.NewList("RepositoryList", rows),
		[]string{"NAMESPACE", "NAME", "TYPE", "DEPLOYMENT", "READY", "ADDRESS"}, cli.Rows(rows, func(r Row) []string {
			return cli.SafeCells(cli.OrDash(r.Namespace), r.Name, r.Type, strconv.FormatBool(r.Deployment), cli.OrDash(r.Ready), r.Address)
		}))
}

// objects are all objects of the files or the cluster, by namespace and name.
func (g *getCommand) objects(cmd *cobra.Command) (out []*porchconfig.Repository, err error) {
	if len(g.files) > 0 {
		in, err := cli.Await(cmd.Context(), func() (*local.Input, error) { return local.ReadRepositories(g.files, cmd.InOrStdin()) })
		if err != nil {
			return nil, err
		}
		for _, key := range in.Repositories(nil).Keys() {
			out = append(out, in.RepositoryObjects[key].Repository)
		}
		return out, nil
	}
	c, err := g.cluster()
	if err != nil {
		return nil, err
	}
	return c.Repositories(cmd.Context(), g.namespace)
}

func newRow(obj *porchconfig.Repository) Row {
	row := Row{Name: obj.Name, Namespace: obj.Namespace, Type: string(obj.Spec.Type), Deployment: obj.Spec.Deployment,
		Description: obj.Spec.Description}
	if git := obj.Spec.Git; git != nil {
		row.Address, row.Branch, row.Directory = gitrepo.Redact(git.Repo), git.BranchName(), git.Directory
	}
	if oci := obj.Spec.OCI; oci != nil {
		row.Address = gitrepo.Redact(oci.Registry)
	}
	if ready := meta.FindStatusCondition(obj.Status.Conditions, "Ready"); ready != nil {
		row.Ready, row.Message = string(ready.Status), ready.Message
	}
	return row
}
