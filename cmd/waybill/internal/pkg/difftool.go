package pkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// diffTool is a program that compares folders.
type diffTool struct {
	name, options string
	program       string // its path
}

func (t *diffTool) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.name, "diff-tool", "",
		"`PROGRAM` that compares the versions as folders, instead of this command (for example: diff, meld)")
	cmd.Flags().StringVar(&t.options, "diff-tool-opts", "",
		"options of that program (default program: diff), separated by spaces; quotes have no meaning")
}

func (t *diffTool) used() bool { return t.name != "" || t.options != "" }

// find looks the program up.
func (t *diffTool) find(out *cli.Printer) (err error) {
	if out.Format != "table" {
		return cli.Usagef("--diff-tool prints what the program prints: leave --output %s out", out.Format)
	}
	name := cmp.Or(t.name, "diff")
	if t.program, err = exec.LookPath(name); err != nil {
		return fmt.Errorf("diff-tool '%s' not found in the PATH", name)
	}
	return nil
}

// run writes the versions to folders and runs the program on them. differs says that its exit status was 1, by which such programs
// say that something differs.
func (t *diffTool) run(cmd *cobra.Command, kind string, v *upstream.Whole) (differs bool, err error) {
	dir, err := os.MkdirTemp("", "waybill-diff-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{}
	if t.options != "" {
		args = strings.Split(t.options, " ")
	}
	for _, version := range versionsOf(kind, v) {
		folder := filepath.Join(dir, version.name)
		if err := pkgtree.MakeDir(folder, version.tree); err != nil {
			return false, err
		}
		args = append(args, folder)
	}
	return t.exec(cmd.Context(), cmd, args)
}

// grace is how long the program has to end after an interrupt.
const grace = 5 * time.Second

func (t *diffTool) exec(ctx context.Context, cmd *cobra.Command, args []string) (differs bool, err error) {
	run := exec.CommandContext(ctx, t.program, args...) // #nosec G204 -- the user names the program; no shell reads its arguments
	run.Stdin, run.Stdout, run.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	run.Cancel, run.WaitDelay = func() error { return run.Process.Signal(os.Interrupt) }, grace
	err = run.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return true, nil
	case err != nil:
		return false, fmt.Errorf("diff-tool %q: %w; it may not support this --diff-type", t.program, err)
	}
	return false, nil
}

// version is one version of a package, and the name of its folder.
type version struct {
	name string
	tree pkgtree.Tree
}

// versionsOf are the versions that a type of diff compares, in kpt's order and under kpt's names.
func versionsOf(kind string, v *upstream.Whole) []version {
	local, remote := version{"local-" + folderName(v.Locked), v.Ours}, version{"remote-" + folderName(v.Locked), v.Then}
	target := version{"target-" + folderName(v.Ref), v.Now}
	switch kind {
	case string(upstream.Local):
		return []version{local, remote}
	case string(upstream.Remote):
		return []version{remote, target}
	case string(upstream.Combined):
		return []version{local, target}
	}
	return []version{local, remote, target}
}

var notInName = lazyregexp.New(`[^A-Za-z0-9._-]`)

// folderName is the last part of a ref, as a part of the name of a folder.
func folderName(ref string) string {
	return notInName.ReplaceAllString(ref[strings.LastIndexByte(ref, '/')+1:], "_")
}
