package root

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// Main runs the command line of this process, and ends the process.
func Main(parts Parts) {
	cli.TuneCollector(os.LookupEnv)
	go cli.LimitHeap(os.LookupEnv) // it reads files
	ctx := cli.SignalContext(func() { os.Exit(cli.ExitFailed) })
	os.Exit(Execute(ctx, parts, os.Args[1:], cli.ContextReader(ctx, os.Stdin), os.Stdout, os.Stderr))
}

// Execute runs one command line and returns its exit code.
func Execute(ctx context.Context, parts Parts, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	args = cli.PluginArgs(os.Args[0], args)
	root := commandFor(parts, args)
	cli.SetPlugin(root, os.Args[0])
	root.SetArgs(args)
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
