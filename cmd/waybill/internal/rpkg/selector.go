package rpkg

import (
	"context"
	"errors"
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

// revisionSelector selects revisions that match each list that is not empty.
type revisionSelector struct {
	packages, workspaces, lifecycles, revisions []string
	contains                                    string // a part of the package's path
	labels                                      string // a label selector

	numbers  []int           // of revisions
	selector labels.Selector // nil for all
}

func (s *revisionSelector) add(cmd *cobra.Command, repos *repositoryFlags) {
	flags := cmd.Flags()
	flags.StringVar(&s.contains, "name", "", "only revisions of packages whose path contains this text")
	flags.StringSliceVar(&s.packages, "package", nil, "only revisions of this package, by its path; repeatable")
	flags.StringSliceVar(&s.workspaces, "workspace", nil, "only revisions of this workspace; repeatable")
	flags.StringSliceVar(&s.revisions, "revision", nil, "only revisions of this number, such as 3 or v3; repeatable")
	s.addLifecycle(cmd, "only revisions that are Draft, Proposed, Published or DeletionProposed; repeatable")
	flags.StringVarP(&s.labels, "selector", "l", "", "only revisions with these labels, such as 'tier=web,region in (eu, us),!old'")
	for flag, value := range map[string]func(revision.Known) string{
		"package":   func(r revision.Known) string { return r.Package },
		"workspace": func(r revision.Known) string { return r.Workspace },
		"revision":  func(r revision.Known) string { return strconv.Itoa(r.Revision.Revision) },
	} {
		cli.CompleteFlag(cmd, flag, repos.findValues(value), cobra.ShellCompDirectiveNoFileComp)
	}
}

func (s *revisionSelector) addLifecycle(cmd *cobra.Command, does string) {
	cmd.Flags().StringSliceVar(&s.lifecycles, "lifecycle", nil, does)
	cli.CompleteChoices(cmd, "lifecycle", lifecycles...)
}

// lifecycles are the values of --lifecycle.
var lifecycles = []string{string(porch.Draft), string(porch.Proposed), string(porch.Published), string(porch.DeletionProposed)}

// given reports whether the user selects revisions.
func (s *revisionSelector) given() bool {
	return s.contains != "" || s.labels != "" || len(s.packages)+len(s.workspaces)+len(s.revisions)+len(s.lifecycles) > 0
}

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
		return !strings.Contains(r.Package, s.contains) || !matches(s.packages, r.Package) || !matches(s.workspaces, r.Workspace) ||
			!matches(s.numbers, r.Revision.Revision) || !matches(s.lifecycles, string(r.Lifecycle)) ||
			s.selector != nil && !s.selector.Matches(labelsOf(r))
	})
}

// latestLabel is computed, as in Porch: the highest published revision of a package has it.
const latestLabel = "kpt.dev/latest-revision"

// labelsOf returns the labels of a revision: in its Kptfile, and of its adoption.
func labelsOf(r revision.Known) labels.Set {
	set := labels.Set{}
	if tree, err := r.Store.Content(r.Revision); err == nil {
		data, _ := tree.Get(kptfile.Name)
		if f, err := kptfile.Parse(kptfile.Name, data); err == nil {
			maps.Copy(set, f.Spec.Labels)
		}
	}
	maps.Copy(set, r.Labels)
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

// named returns the revisions of these names that match. Where several have a name, only those that match count.
func (s *revisionSelector) named(ctx context.Context, repos repositories, names []string) ([]revision.Known, error) {
	revs, err := listRevisions(ctx, repos, nameBegins(names...))
	if err != nil {
		return nil, err
	}
	found, err := pickNamed(revs, names)
	var several *ambiguousError
	if errors.As(err, &several) && s.given() {
		return pickNamed(s.filter(slices.Clone(revs)), names)
	}
	return s.filter(found), err
}
