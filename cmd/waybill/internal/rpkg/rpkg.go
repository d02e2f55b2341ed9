// Package rpkg has the command `waybill rpkg`, which lists package revisions and moves them through their lifecycle.
package rpkg

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// NewCommand returns `waybill rpkg`.
func NewCommand() *cobra.Command {
	return cli.NewGroup("rpkg", "List package revisions in Git, and move them through their lifecycle",
		newGetCommand(), newPullCommand(), newProposeCommand(), newApproveCommand(), newRejectCommand(),
		newProposeDeleteCommand(), newDelCommand())
}

// namedRevisions returns the revisions of these names, sorted by name. A name of no revision, or of several, is an error.
// Only repositories that a name begins with are opened.
func namedRevisions(ctx context.Context, repos repositories, names []string) ([]revision.Known, error) {
	revs, err := listRevisions(ctx, repos, func(key repositoryKey) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return strings.HasPrefix(name, key.Name+".") || strings.HasPrefix(name, key.String()+".")
		})
	})
	if err != nil {
		return nil, err
	}
	return pickNamed(revs, names)
}

// pickNamed picks revisions by NAME or NAMESPACE/NAME.
func pickNamed(revs []revision.Known, names []string) ([]revision.Known, error) {
	chosen := make([]bool, len(revs))
	for _, name := range names {
		n := 0
		for i, r := range revs {
			if r.Name == name || r.Namespace+"/"+r.Name == name {
				chosen[i] = true
				n++
			}
		}
		switch {
		case n == 0:
			return nil, fmt.Errorf("there is no package revision %q; 'waybill rpkg get' lists them", name)
		case n > 1:
			return nil, fmt.Errorf("there are %[2]d package revisions %[1]q; use NAMESPACE/NAME, or name fewer files", name, n)
		}
	}
	var out []revision.Known
	for i, r := range revs {
		if chosen[i] {
			out = append(out, r)
		}
	}
	return out, nil
}

// revisionSelector selects revisions that match each list that is not empty.
type revisionSelector struct {
	packages, workspaces, lifecycles, revisions []string
	labels                                      string // a label selector

	numbers  []int           // of revisions
	selector labels.Selector // nil for all
}

func (s *revisionSelector) add(cmd *cobra.Command, repos *repositoryFlags) {
	flags := cmd.Flags()
	flags.StringSliceVar(&s.packages, "package", nil, "only revisions of this package, by its path; repeatable")
	flags.StringSliceVar(&s.workspaces, "workspace", nil, "only revisions of this workspace; repeatable")
	flags.StringSliceVar(&s.revisions, "revision", nil, "only revisions of this number, such as 3 or v3; repeatable")
	flags.StringSliceVar(&s.lifecycles, "lifecycle", nil, "only revisions that are Draft, Proposed, Published or DeletionProposed; repeatable")
	flags.StringVarP(&s.labels, "selector", "l", "", "only revisions with these labels, such as 'tier=web,region in (eu, us),!old'")
	cli.CompleteChoices(cmd, "lifecycle", lifecycles...)
	for flag, value := range map[string]func(revision.Known) string{
		"package":   func(r revision.Known) string { return r.Package },
		"workspace": func(r revision.Known) string { return r.Workspace },
		"revision":  func(r revision.Known) string { return strconv.Itoa(r.Revision.Revision) },
	} {
		cli.CompleteFlag(cmd, flag, repos.findValues(value), cobra.ShellCompDirectiveNoFileComp)
	}
}

// lifecycles are the values of --lifecycle.
var lifecycles = []string{string(porch.Draft), string(porch.Proposed), string(porch.Published), string(porch.DeletionProposed)}

func (s *revisionSelector) check() error {
	for _, text := range s.revisions {
		n, err := strconv.Atoi(strings.TrimPrefix(text, "v"))
		if err != nil {
			return cli.Usagef("--revision %q: want a number", text)
		}
		s.numbers = append(s.numbers, n)
	}
	for _, l := range s.lifecycles {
		if !slices.Contains(lifecycles, l) {
			return cli.Usagef("--lifecycle %q: want Draft, Proposed, Published or DeletionProposed", l)
		}
	}
	if s.labels == "" {
		return nil
	}
	var err error
	if s.selector, err = labels.Parse(s.labels); err != nil {
		return cli.Usagef("--selector %q: %v", s.labels, err)
	}
	return nil
}

func (s *revisionSelector) filter(revs []revision.Known) []revision.Known {
	return slices.DeleteFunc(revs, func(r revision.Known) bool {
		return !matches(s.packages, r.Package) || !matches(s.workspaces, r.Workspace) ||
			!matches(s.numbers, r.Revision.Revision) || !matches(s.lifecycles, string(r.Lifecycle)) ||
			s.selector != nil && !s.selector.Matches(labelsOf(r))
	})
}

// latestLabel is computed, as in Porch: the highest published revision of a package has it.
const latestLabel = "kpt.dev/latest-revision"

// labelsOf returns the labels in the Kptfile of a revision.
func labelsOf(r revision.Known) labels.Set {
	set := labels.Set{}
	if tree, err := r.Store.Content(r.Revision); err == nil {
		data, _ := tree.Get(kptfile.Name)
		if f, err := kptfile.Parse(kptfile.Name, data); err == nil {
			maps.Copy(set, f.Spec.Labels)
		}
	}
	delete(set, latestLabel)
	if r.Latest {
		set[latestLabel] = "true"
	}
	return set
}

// matches reports whether value is wanted; an empty list wants all.
func matches[T comparable](wanted []T, value T) bool {
	return len(wanted) == 0 || slices.Contains(wanted, value)
}
