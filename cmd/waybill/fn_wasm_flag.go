package main

import (
	"context"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/runner"
)

// addWasm adds kpt's flag for WASM functions.
func (f *functionFlags) addWasm(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wasm, "allow-alpha-wasm", false, "take images and executables for WASM, as kpt does; waybill runs no WASM, "+
		"so only linked functions run then")
}

// noWasm refuses what kpt takes for WASM once that is allowed: every image and executable. Functions
// that are linked in come out the same whatever their image is made of.
type noWasm struct{ runner.Factory }

func (n noWasm) Prepare(ctx context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	run, err := n.Factory.Prepare(ctx, f)
	if err != nil && f.Image == "" || err == nil && run.Kind() == "in-process" {
		return run, err
	}
	return nil, fmt.Errorf("--allow-alpha-wasm takes %q for a WASM function, and WASM functions cannot be run here; "+
		"leave the flag out to run a container or an executable", title(f))
}
