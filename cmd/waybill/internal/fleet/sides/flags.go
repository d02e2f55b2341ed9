package sides

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Flags are the flags of commands that compare two sides of a change.
type Flags struct {
	Functions cli.FunctionFlags
	Dir       string
	NoRender  bool
	WhatIf    WhatIfFlags
}

// Add adds the flags; noRender is the help of --no-render.
func (f *Flags) Add(cmd *cobra.Command, noRender string) {
	f.Functions.Add(cmd)
	f.Functions.AddWasm(cmd)
	cmd.Flags().StringVar(&f.Dir, "dir", ".", "`DIR` of the package, for commits and the work tree")
	cmd.Flags().BoolVar(&f.NoRender, "no-render", false, noRender)
	cli.CompletePackageFlags(cmd, "dir")
	f.WhatIf.Add(cmd, &f.Dir)
}

// Find returns the sides that the arguments name.
func (f *Flags) Find(ctx context.Context, args []string, whatIf bool) (*Sides, error) {
	if len(args) == 2 {
		return OfFolders(args[0], args[1])
	}
	dir, isRange, err := f.Folder(args)
	switch {
	case err != nil:
		return nil, err
	case isRange:
		base, head, mergeBase, _ := splitRange(args[0])
		return ofCommits(ctx, dir, base, head, mergeBase)
	case len(args) == 0 && whatIf:
		return OfFolder(dir)
	}
	return ofCommits(ctx, dir, "HEAD", "", false)
}

// Folder returns the folder that --dir or the argument names, and whether the argument is a range of commits.
func (f *Flags) Folder(args []string) (dir string, isRange bool, err error) {
	if len(args) == 0 {
		return f.Dir, false, nil
	}
	if _, _, _, isRange = splitRange(args[0]); isRange {
		return f.Dir, true, nil
	}
	if f.Dir != "." {
		err = cli.Usagef("%q is no range of commits, and --dir names the folder already", args[0])
	}
	return args[0], false, err
}

// splitRange parses BASE..HEAD and BASE...HEAD. It leaves paths such as ../a alone.
func splitRange(arg string) (base, head string, mergeBase, ok bool) {
	base, head, ok = strings.Cut(arg, "..")
	if ok {
		head, mergeBase = strings.CutPrefix(head, ".")
	}
	ok = ok && base != "" && !strings.HasSuffix(base, "/") && !strings.HasPrefix(head, "/")
	return base, head, mergeBase, ok
}

// Render returns both sides rendered, the second with the change.
func (f *Flags) Render(ctx context.Context, sides *Sides, change *whatif.Change) (before, after pkgtree.Tree, err error) {
	f.Functions.LimitMemory()
	if before, after, err = sides.Read(ctx); err != nil {
		return before, after, err
	}
	if after, _, err = change.Apply(after); err != nil {
		return before, after, err
	}
	was, is, err := f.renderBoth(ctx, sides, before, after)
	if err == nil {
		err = sides.warnOfStale(before, after, was, is)
	}
	return was, is, err
}

// WhatIfFlags describe hypothetical changes of clusters.
type WhatIfFlags struct{ with, without, labels []string }

// Add adds --with-cluster, --without-cluster and --cluster-label. Clusters of the package in dir complete them.
func (w *WhatIfFlags) Add(cmd *cobra.Command, dir *string) {
	flags := cmd.Flags()
	flags.StringArrayVar(&w.with, "with-cluster", nil, "add or replace the ManagedClusters and properties in `FILE`")
	flags.StringArrayVar(&w.without, "without-cluster", nil, "remove the cluster `NAME`")
	flags.StringArrayVar(&w.labels, "cluster-label", nil, "set a label of a cluster: `NAME=KEY=VALUE`; append - to remove it: NAME=KEY-")
	completeClusters(cmd, dir)
}

// Read parses the flags and reads the files that they name.
func (w *WhatIfFlags) Read() (*whatif.Change, error) {
	out := &whatif.Change{Without: w.without}
	for _, text := range w.labels {
		label, err := whatif.ParseLabelChange(text)
		if err != nil {
			return nil, cli.Usagef("--cluster-label %q: %w", text, err)
		}
		out.Labels = append(out.Labels, label)
	}
	for _, file := range w.with {
		objects, err := cli.ReadObjects([]string{file}, nil)
		if err != nil {
			return nil, fmt.Errorf("--with-cluster: %w", err)
		}
		for _, o := range objects {
			out.With = append(out.With, o.WithoutOrchestration())
		}
		if len(objects) == 0 {
			return nil, fmt.Errorf("--with-cluster: %s holds no object", filepath.Base(file))
		}
	}
	return out, nil
}
