package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
)

// boundValue is a fleet.Bound as a flag.
type boundValue fleet.Bound

func (b *boundValue) Set(text string) error {
	bound, err := fleet.ParseBound(text)
	*b = boundValue(bound)
	return err
}

func (b *boundValue) String() string { return fleet.Bound(*b).String() }
func (b *boundValue) Type() string   { return "N|P%" }

// whatIfFlags say which clusters there would be.
type whatIfFlags struct{ with, without, labels []string }

func (w *whatIfFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&w.with, "with-cluster", nil, "what if there were the ManagedClusters in `FILE`, and the properties in it")
	flags.StringArrayVar(&w.without, "without-cluster", nil, "what if there were no cluster `NAME`")
	flags.StringArrayVar(&w.labels, "cluster-label", nil, "what if a cluster had a label: `NAME=KEY=VALUE`, or NAME=KEY- if it had it not")
}

func (w *whatIfFlags) read() (*whatif.Change, error) {
	out := &whatif.Change{Without: w.without}
	for _, text := range w.labels {
		label, err := whatif.ParseLabelChange(text)
		if err != nil {
			return nil, usage("--cluster-label %q: %w", text, err)
		}
		out.Labels = append(out.Labels, label)
	}
	for _, file := range w.with {
		objects, err := readObjects([]string{file}, nil)
		if err != nil {
			return nil, fmt.Errorf("--with-cluster: %w", err)
		}
		for _, o := range objects {
			out.With = append(out.With, o.WithoutOrchestration())
		}
		if len(objects) == 0 {
			return nil, fmt.Errorf("--with-cluster: there is no object in %s", filepath.Base(file))
		}
	}
	return out, nil
}
