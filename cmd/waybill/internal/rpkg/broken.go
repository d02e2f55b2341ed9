package rpkg

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

// renderFailure is why a draft or proposal does not render, "" if it does. What is published counts as it is.
func renderFailure(r revision.Known) (string, error) {
	if r.Lifecycle.IsPublished() {
		return "", nil
	}
	tree, err := r.Store.Content(r.Revision)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.Name, err)
	}
	return draft.RenderFailure(tree), nil
}

// warnOfFailure warns of a draft that does not render; why is "" for one that does.
func warnOfFailure(stderr io.Writer, name, why string) {
	if why != "" {
		fmt.Fprintf(stderr, "warning: %s does not render: %s\n", cli.SafeText(name), cli.SafeText(why))
	}
}

// renderGuard keeps drafts that do not render from being published.
type renderGuard struct{ force bool }

func (g *renderGuard) add(flags *pflag.FlagSet) {
	flags.BoolVar(&g.force, "force", false, "also drafts that do not render and were kept nevertheless")
}

func (g *renderGuard) check(chosen []revision.Known, _ func() ([]revision.Known, error)) error {
	if g.force {
		return nil
	}
	for _, r := range chosen {
		why, err := renderFailure(r)
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%s does not render, and nothing was changed: %s; mend the draft, or use --force", r.Name, why)
		}
	}
	return nil
}
