package sides

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// CompleteArgs completes the arguments of a command that compares two sides: BASE..HEAD of the repository around the folder
// in --dir, or the folders of packages.
func (f *Flags) CompleteArgs(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		if _, _, _, isRange := splitRange(args[0]); isRange {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	complete := cli.OrFolders(cli.Complete(f.findSides, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
	return cli.CompleteFirst(complete, complete)(cmd, args, word)
}

func (f *Flags) findSides(ctx context.Context, args []string, word string) ([]cli.Proposal, error) {
	if len(args) > 0 { // a second folder
		return cli.FindPackages(ctx, args, word)
	}
	folders, _ := cli.FindPackages(ctx, args, word) // there may be none where word is a range
	refs, err := cli.FindRefs(ctx, f.Dir)
	return append(folders, ranges(refs, word)...), err
}

// ranges are what completes word to a range of refs: its begin, or all of it.
func ranges(refs []string, word string) (out []cli.Proposal) {
	_, head, _, isRange := splitRange(word)
	for _, ref := range refs {
		if isRange {
			out = append(out, cli.Proposal{Text: strings.TrimSuffix(word, head) + ref})
		} else {
			out = append(out, cli.Proposal{Text: ref + "..", About: "the changes since " + ref})
		}
	}
	return out
}

// completeClusters completes --without-cluster and --cluster-label by the clusters of the package in dir, and --with-cluster
// by files.
func completeClusters(cmd *cobra.Command, dir *string) {
	find := func(after string) cli.Find {
		return func(context.Context, []string, string) (out []cli.Proposal, err error) {
			names, err := clusterNames(*dir)
			for _, name := range names {
				out = append(out, cli.Proposal{Text: name + after})
			}
			return out, err
		}
	}
	cli.CompleteObjectFiles(cmd, "with-cluster")
	cli.CompleteFlag(cmd, "without-cluster", find(""), cobra.ShellCompDirectiveNoFileComp)
	cli.CompleteFlag(cmd, "cluster-label", find("="), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
}

func clusterNames(dir string) ([]string, error) {
	tree, err := ReadFolder(dir)
	if err != nil {
		return nil, err
	}
	return ClusterNames(tree)
}

// ClusterNames returns the clusters that a package names: in ManagedClusters, in committed works, and by its folders.
func ClusterNames(tree pkgtree.Tree) (names []string, err error) {
	delivered, err := fleet.Read(tree, nil)
	if err == nil {
		names = delivered.Named()
	}
	kind := workload.ManagedClusterKind
	for o := range SourceObjects(tree, kind.Kind) {
		if o.Is(kind.Group, kind.Kind) {
			names = append(names, o.Name())
		}
	}
	return names, err
}

// SourceObjects are the objects in the files of a package that contain a text. It leaves out files that cannot be read.
func SourceObjects(tree pkgtree.Tree, text string) iter.Seq[*krm.Object] {
	return func(yield func(*krm.Object) bool) {
		for p, blob := range tree.All() {
			if !fleet.IsSource(tree, p) || !bytes.Contains(blob.Data(), []byte(text)) {
				continue
			}
			objects, err := krm.Read(p, blob.Data(), krm.Limits{})
			if err != nil {
				continue // the command itself reports it
			}
			for _, o := range objects {
				if !yield(o) {
					return
				}
			}
		}
	}
}
