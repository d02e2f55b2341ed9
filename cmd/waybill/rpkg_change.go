package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/revision"
)

// change moves one revision through its life.
type change struct {
	verb, done  string
	short, long string
	do          func(context.Context, found, revision.Stamp) (revision.Revision, error)
}

func newRpkgProposeCommand() *cobra.Command {
	return newRpkgChange(change{
		verb: "propose", done: "proposed", short: "Propose drafts for approval",
		long: "Propose moves the branches of drafts: a proposal is no longer edited, only approved or rejected.",
		do: func(ctx context.Context, f found, _ revision.Stamp) (revision.Revision, error) {
			return f.repo.Store.Propose(ctx, f.Revision)
		},
	})
}

func newRpkgApproveCommand() *cobra.Command {
	return newRpkgChange(change{
		verb: "approve", done: "approved", short: "Publish proposals: merge them into the main branch and tag them",
		long: `Approve merges each proposal into the main branch and tags it with the next revision number, in one
push. The merge is dated now; SOURCE_DATE_EPOCH, in seconds, gives another time.`,
		do: func(ctx context.Context, f found, by revision.Stamp) (revision.Revision, error) {
			return f.repo.Store.Approve(ctx, f.Revision, by)
		},
	})
}

func newRpkgRejectCommand() *cobra.Command {
	return newRpkgChange(change{
		verb: "reject", done: "rejected", short: "Make proposals drafts again",
		long: "Reject moves the branches of proposals back: drafts can be edited and proposed again.",
		do: func(ctx context.Context, f found, _ revision.Stamp) (revision.Revision, error) {
			return f.repo.Store.Reject(ctx, f.Revision)
		},
	})
}

func newRpkgChange(c change) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:   c.verb + " NAME...",
		Short: c.short,
		Long: c.long + `

Revisions are changed in the order of their names; the first that cannot be ends it, and those
before it stay changed. 'waybill rpkg get' lists names.`,
		Example: "  waybill rpkg " + c.verb + " -f fleet deployments.eu.shop.packagevariant-1",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE:    func(cmd *cobra.Command, names []string) error { return c.run(cmd, files, names) },
	}
	addFiles(cmd, &files)
	return cmd
}

func (c change) run(cmd *cobra.Command, files, names []string) error {
	when, err := actTime(os.Getenv("SOURCE_DATE_EPOCH"))
	if err != nil {
		return err
	}
	revs, err := chosenRevisions(cmd, files, names)
	if err != nil {
		return err
	}
	for _, r := range revs {
		now, err := c.do(cmd.Context(), r, revision.Stamp{When: when})
		if err != nil {
			return fmt.Errorf("%s %s: %w", c.verb, r.Name, err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", now.Name, c.done)
	}
	return nil
}

// actTime is when a person acts: now, unless the environment says otherwise so that it can be done
// again with the same result. (What a controller does is dated by its inputs.)
func actTime(epoch string) (time.Time, error) {
	if epoch == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, usage("environment variable SOURCE_DATE_EPOCH: %q is no number of seconds", epoch)
	}
	return time.Unix(seconds, 0), nil
}

// chosenRevisions are the revisions of these names, all when there are none, in the order of
// names. A name that fits no revision, or several, is an error.
func chosenRevisions(cmd *cobra.Command, files, names []string) ([]found, error) {
	revs, err := allRevisions(cmd, files)
	if err != nil || len(names) == 0 {
		return revs, err
	}
	for _, name := range names {
		fit := func(f found) bool { return f.Name == name || f.namespace+"/"+f.Name == name }
		switch n := count(revs, fit); {
		case n == 0:
			return nil, fmt.Errorf("there is no package revision %q; 'waybill rpkg get' lists them", name)
		case n > 1:
			return nil, fmt.Errorf("package revision %q is there %d times; say NAMESPACE/NAME, or leave files out", name, n)
		}
	}
	return slices.DeleteFunc(revs, func(f found) bool {
		return !slices.Contains(names, f.Name) && !slices.Contains(names, f.namespace+"/"+f.Name)
	}), nil
}

func count(revs []found, fit func(found) bool) (n int) {
	for _, r := range revs {
		if fit(r) {
			n++
		}
	}
	return n
}
