// Package delegate has what a program without controllers lacks, `waybill controller` and the client of Porch: it runs the program
// waybill-controller, which has them, with the same command line. Controllers would double the size of waybill and the time of its start.
package delegate

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/reconcile"
)

// Program is the program with the controllers.
const Program = "waybill-controller"

// NewCommand returns `waybill controller`. Its help, its completion and the command itself are those of the other program.
func NewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Draft in Git what the PackageVariants of a cluster want, until it is stopped",
		Long: `Controller runs the program ` + Program + `, which is installed beside waybill: see docs/install.md. Its help has all
flags.`,
		DisableFlagParsing: true, // all flags are for the other program
		RunE:               func(*cobra.Command, []string) error { return run() },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			_ = run() // it returns only without the other program, and then there is nothing to complete
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
	own := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if run() != nil {
			own(cmd, args)
		}
	})
	return cmd
}

// OpenPorch continues as the other program, which can open them.
func OpenPorch(*rest.Config) (reconcile.PorchRepositories, error) { return nil, run() }

// run continues as the other program, with the command line of this one. It returns only if it cannot.
func run() error {
	program, err := find()
	if err != nil {
		return err
	}
	if err := replace(program, os.Args); err != nil {
		return fmt.Errorf("run %s: %w", cli.SafeText(program), err)
	}
	return nil
}

// find finds the other program: beside this one, or else on the PATH.
func find() (string, error) {
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self) // a plugin of kubectl is a link
	}
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), name)
	if isOther(self, beside) {
		return beside, nil
	}
	if program, err := exec.LookPath(name); err == nil && isOther(self, program) {
		return program, nil
	}
	return "", errors.New("the program " + Program + " has the controllers and the client of Porch, and is neither beside waybill " +
		"nor on the PATH: " +
		"install it as docs/install.md says, or run the image ghcr.io/waybill-dev/waybill")
}

// isOther reports whether there is a file at path, and it is not this program under another name, which would run itself for ever.
func isOther(self, path string) bool {
	own, err := os.Stat(self)
	other, errOther := os.Stat(path)
	return err == nil && errOther == nil && other.Mode().IsRegular() && !os.SameFile(own, other)
}
