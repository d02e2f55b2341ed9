package repo

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
)

type regCommand struct {
	placeFlags
	spec               porchconfig.RepositorySpec
	git                porchconfig.GitRepository
	packages           []string
	name               string
	username, password string
}

func newRegCommand() *cobra.Command {
	var r regCommand
	cmd := &cobra.Command{
		Use:     "reg URL",
		Aliases: []string{"register"},
		Short:   "Write a Repository object for a Git repository or an OCI registry",
		Long: `Reg writes a Repository object to the file of --filename, which it creates or appends to (a
folder: to a new file in it; -: to stdout), or creates it in a cluster. It does not contact the
repository: 'waybill rpkg get' does.

A URL oci://HOST/PATH is that of a registry, whose repositories below PATH are packages to clone and
to upgrade from. If the registry does not list its repositories, as ghcr.io, name the packages by
--packages.

With --repo-basic-username and --repo-basic-password it creates a Secret in the cluster, too; files
get no Secret: use --secret-ref, Git's credential helpers, or what docker or podman keep.`,
		Example: `  waybill repo reg https://git.example.com/prod.git -f fleet/prod.yaml -n fleet --deployment
  waybill repo reg oci://ghcr.io/acme/packages -f fleet/base.yaml -n fleet --packages shop,db`,
		Args: cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.run(cmd, args[0]); err != nil {
				return fmt.Errorf("register %s: %w", gitrepo.Redact(args[0]), err)
			}
			return nil
		},
	}
	r.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&r.name, "name", "", "name of the object (default: the last part of the URL)")
	flags.StringVar(&r.spec.Description, "description", "", "what the repository is for")
	flags.BoolVar(&r.spec.Deployment, "deployment", false, "its packages are for clusters: clones get a package context")
	flags.StringVar(&r.git.Branch, "branch", "main", "branch with the published packages")
	flags.BoolVar(&r.git.CreateBranch, "create-branch", false, "create the branch if it is missing")
	flags.StringVar(&r.git.Directory, "directory", "", "folder of the packages in the repository (default: all of it)")
	flags.StringSliceVar(&r.packages, "packages", nil, "packages in a registry that does not list its repositories, by their paths below PATH")
	flags.StringVar(&r.git.SecretRef.Name, "secret-ref", "", "`NAME` of a Secret with credentials in the namespace")
	flags.StringVar(&r.username, "repo-basic-username", "", "user name for the server, stored in a new Secret of the cluster")
	flags.StringVar(&r.password, "repo-basic-password", "", "password for the server, stored in a new Secret of the cluster")
	return cmd
}

func (r *regCommand) run(cmd *cobra.Command, url string) error {
	if err := r.check(cmd); err != nil {
		return err
	}
	if err := r.checkType(cmd, oci.IsURL(url)); err != nil {
		return err
	}
	obj, err := r.object(url)
	if err != nil {
		return err
	}
	if len(r.files) > 0 {
		return addToFile(cmd, r.files[0], obj)
	}
	return r.create(cmd, obj)
}

func (r *regCommand) check(cmd *cobra.Command) error {
	basic := r.username != "" || r.password != ""
	switch {
	case len(r.files) > 1:
		return cli.Usagef("name one file or folder by --filename, not %d", len(r.files))
	case basic && (r.username == "" || r.password == ""):
		return cli.Usagef("use --repo-basic-username and --repo-basic-password together")
	case basic && r.git.SecretRef.Name != "":
		return cli.Usagef("use either --secret-ref or a user name and password")
	case basic && len(r.files) > 0:
		return cli.Usagef("a file gets no password: name a Secret by --secret-ref, or use Git's credential helpers")
	}
	return r.placeFlags.check(cmd)
}

// checkType refuses flags for the other type of repository.
func (r *regCommand) checkType(cmd *cobra.Command, isOCI bool) error {
	if !isOCI && len(r.packages) > 0 {
		return cli.Usagef("--packages is for registries: packages in Git are found")
	}
	for _, name := range []string{"branch", "create-branch", "directory", "deployment"} {
		if isOCI && cmd.Flags().Changed(name) {
			return cli.Usagef("--%s is for Git repositories, and the URL is that of a registry", name)
		}
	}
	return nil
}

// object is the Repository object. A URL with a password is refused: the object is no Secret.
func (r *regCommand) object(url string) (*porchconfig.Repository, error) {
	if gitrepo.Redact(url) != url {
		return nil, cli.Usagef("the URL has credentials, which everybody could read in the object: leave them out, and use a Secret")
	}
	name := r.name
	if name == "" {
		name = strings.TrimSuffix(path.Base(strings.TrimRight(url, "/")), ".git")
	}
	if errs := validation.IsDNS1123Label(name); len(errs) > 0 {
		return nil, cli.Usagef("the name %q: %s; choose another by --name", name, errs[0])
	}
	namespace, err := r.inNamespace()
	if err != nil {
		return nil, err
	}
	obj := &porchconfig.Repository{
		TypeMeta:   metav1.TypeMeta{APIVersion: porchconfig.APIVersion, Kind: porchconfig.KindRepository},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
	}
	r.addPlace(obj, url)
	if oci.IsURL(url) {
		return obj, registry.Validate(obj)
	}
	return obj, obj.Validate()
}

// addPlace adds where the packages are.
func (r *regCommand) addPlace(obj *porchconfig.Repository, url string) {
	obj.Spec = r.spec
	if at, isOCI := strings.CutPrefix(url, oci.Scheme); isOCI {
		obj.Spec.Type = porchconfig.RepositoryTypeOCI
		obj.Spec.OCI = &porchconfig.OCIRepository{Registry: strings.TrimRight(at, "/"), SecretRef: r.git.SecretRef}
		if len(r.packages) > 0 {
			obj.Annotations = map[string]string{registry.PackagesAnnotation: strings.Join(r.packages, ",")}
		}
		return
	}
	r.git.Repo = url
	r.git.Directory = strings.Trim(r.git.Directory, "/")
	obj.Spec.Type, obj.Spec.Git = porchconfig.RepositoryTypeGit, &r.git
}

// create creates the object, and before it the Secret, which goes again if the object cannot be created.
func (r *regCommand) create(cmd *cobra.Command, obj *porchconfig.Repository) error {
	c, err := r.cluster()
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	basic := r.username != ""
	own := types.NamespacedName{Namespace: obj.Namespace, Name: secretName(obj.Name)}
	if basic {
		if err := c.CreateBasicAuth(ctx, own, r.username, r.password); err != nil {
			return fmt.Errorf("secret %q: %w", own.Name, err)
		}
		if obj.Spec.OCI != nil {
			obj.Spec.OCI.SecretRef.Name = own.Name
		} else {
			obj.Spec.Git.SecretRef.Name = own.Name
		}
	}
	if err := c.CreateRepository(ctx, obj); err != nil {
		if basic {
			err = errors.Join(err, c.DeleteSecret(ctx, own))
		}
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s registered\n", obj.Name)
	return err
}

// secretName is the name of the Secret that belongs to a Repository object, as porchctl names it.
func secretName(repository string) string { return repository + "-auth" }
