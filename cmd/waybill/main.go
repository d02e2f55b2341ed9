// Command waybill computes, previews and commits the configuration of fleets of Kubernetes
// clusters, as data, in Git. Run `waybill --help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

func main() {
	cli.TuneCollector(os.LookupEnv)
	cli.LimitHeap(os.LookupEnv)
	ctx := cli.SignalContext(func() { os.Exit(cli.ExitFailed) })
	os.Exit(execute(ctx, os.Args[1:], cli.ContextReader(ctx, os.Stdin), os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(cli.PluginArgs(root, os.Args[0], args))
	root.SetIn(stdin)
	cli.SetOutputs(root, stdout, stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return cli.ExitDone
	}
	var silent *cli.ExitError
	if errors.As(err, &silent) && silent.Err == nil {
		return silent.Code
	}
	if cli.Interrupted(ctx, err) {
		err = cli.ErrInterrupted
	}
	fmt.Fprintf(root.ErrOrStderr(), "error: %s\n", cli.Message(err))
	if silent != nil {
		return silent.Code
	}
	return cli.ExitFailed
}
