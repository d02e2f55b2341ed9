package pkg

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// completeTarget completes [DIR][@REF]: packages, and the refs of their upstream if that is a repository of this machine.
func completeTarget(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if _, _, isRef := cli.SplitAt(args, word); isRef {
		return cli.Complete(findTargetRefs, cobra.ShellCompDirectiveNoFileComp)(cmd, args, word)
	}
	return cli.CompleteFirst(cli.CompletePackages)(cmd, args, word)
}

func findTargetRefs(ctx context.Context, args []string, word string) ([]cli.Proposal, error) {
	dir, before, _ := cli.SplitAt(args, word)
	data, err := os.ReadFile(filepath.Join(dir, kptfile.Name)) // #nosec G304 -- the package that the user names
	if err != nil {
		return nil, err
	}
	f, err := kptfile.Parse(kptfile.Name, data)
	if err != nil || f.Spec.Upstream == nil || f.Spec.Upstream.Git == nil {
		return nil, err
	}
	from := f.Spec.Upstream.Git
	return findRefsOf(ctx, from.Repo, from.Directory, before)
}

// completeSource completes REPO.git/DIR@REF behind the @, if REPO is on this machine, and what is before it by files; then DEST.
func completeSource(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if _, _, isRef := cli.SplitAt(args, word); isRef {
		return cli.Complete(findSourceRefs, cobra.ShellCompDirectiveNoFileComp)(cmd, args, word)
	}
	return cli.CompleteFirst(cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault), cli.CompleteFolders)(cmd, args, word)
}

func findSourceRefs(ctx context.Context, args []string, word string) ([]cli.Proposal, error) {
	name, before, _ := cli.SplitAt(args, word)
	from, err := upstream.ParseTarget(name)
	if err != nil {
		return nil, err
	}
	return findRefsOf(ctx, from.Repo, from.Directory, before)
}

// findRefsOf finds the refs of a package in a repository of this machine. A tag DIR/v1 is also called v1.
func findRefsOf(ctx context.Context, repo, dir, before string) ([]cli.Proposal, error) {
	at := gitrepo.LocalDir(repo)
	if at == "" {
		return nil, nil
	}
	if !cli.IsDir(at) {
		at += ".git" // which targets leave out
	}
	refs, err := cli.FindRefs(ctx, at)
	for _, ref := range refs {
		if short, ours := strings.CutPrefix(ref, strings.Trim(dir, "/")+"/"); ours {
			refs = append(refs, short)
		}
	}
	return cli.WithPrefix(before, refs), err
}
