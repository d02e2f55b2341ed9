package rpkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/cluster"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// userFlag says who is the author of the commits of a command, and so who published a revision.
type userFlag struct{ as string }

func (f *userFlag) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.as, "as", "", "the author of commits, `'NAME <EMAIL>'` (default: the user of the cluster, or else of git)")
}

// signs reports whether the steps make commits.
func (v lifecycleCommand) signs(chosen []revision.Known) bool {
	return slices.ContainsFunc(chosen, func(r revision.Known) bool {
		op := v.step(r).op
		return op == revision.OpApprove || op == revision.OpDelete && r.Revision.Revision < 0
	})
}

// identity is the author: --as, else the user that the API server knows if it has the Repositories, else Git's user.
func (f *userFlag) identity(ctx context.Context, repos *repositoryFlags) (revision.Identity, error) {
	if f.as != "" {
		return parseIdentity(f.as)
	}
	if len(repos.files) == 0 {
		if id, err := clusterUser(ctx, repos.where); err == nil {
			return id, nil
		}
	}
	return gitUser(ctx)
}

// parseIdentity reads "Name <email>". Any other text is both, as the name of a user in Kubernetes.
func parseIdentity(text string) (revision.Identity, error) {
	text = strings.TrimSpace(text)
	if address, err := mail.ParseAddress(text); err == nil {
		return revision.Identity{Name: cmp.Or(address.Name, address.Address), Email: address.Address}, nil
	}
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '<' || r == '>' }) {
		return revision.Identity{}, cli.Usagef("--as %q: give a name and an address, as in 'Jane Doe <jane@example.com>'", text)
	}
	return revision.Identity{Name: text, Email: text}, nil
}

// clusterUser is the user as whom the API server knows us.
func clusterUser(ctx context.Context, where cli.ClusterFlags) (revision.Identity, error) {
	cfg, err := where.Config()
	if err != nil {
		return revision.Identity{}, err
	}
	status, err := cluster.Review(ctx, cfg, "authentication.k8s.io", "SelfSubjectReview", nil)
	if err != nil {
		return revision.Identity{}, err
	}
	name, _, err := unstructured.NestedString(status, "userInfo", "username")
	if err != nil {
		return revision.Identity{}, err
	}
	return parseIdentity(name)
}

// gitUser is the user who would be the author of a commit made by git.
func gitUser(ctx context.Context) (revision.Identity, error) {
	out, err := exec.CommandContext(ctx, "git", "var", "GIT_AUTHOR_IDENT").Output()
	end := strings.LastIndex(string(out), ">")
	if errors.Is(err, exec.ErrNotFound) {
		return revision.Identity{}, errors.New("git is not installed, which would know who you are: name yourself by --as 'NAME <EMAIL>'")
	}
	if err != nil || end < 0 {
		return revision.Identity{}, errors.New("git does not know who you are: " +
			"set user.name and user.email by 'git config --global', or name yourself by --as 'NAME <EMAIL>'")
	}
	name, email, _ := strings.Cut(string(out[:end]), "<")
	if name = strings.TrimSpace(name); email == "" {
		return revision.Identity{}, fmt.Errorf("git knows no address of %q: set user.email by 'git config --global', or use --as", name)
	}
	return revision.Identity{Name: cmp.Or(name, email), Email: email}, nil
}
