package sides

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
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
	f.WhatIf.Add(cmd)
}

// WhatIfFlags describe hypothetical changes of clusters.
type WhatIfFlags struct{ with, without, labels []string }

// Add adds --with-cluster, --without-cluster and --cluster-label.
func (w *WhatIfFlags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&w.with, "with-cluster", nil, "add or replace the ManagedClusters and properties in `FILE`")
	flags.StringArrayVar(&w.without, "without-cluster", nil, "remove the cluster `NAME`")
	flags.StringArrayVar(&w.labels, "cluster-label", nil, "set a label of a cluster: `NAME=KEY=VALUE`; append - to remove it: NAME=KEY-")
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
