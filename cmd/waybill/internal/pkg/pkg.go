// Package pkg has the command `waybill pkg`, which fetches, updates, compares and merges packages as `kpt pkg` does.
package pkg

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
)

// NewCommand returns `waybill pkg`.
func NewCommand() *cobra.Command {
	cmd := cli.NewGroup("pkg", "Make packages, fetch them from Git or registries, update, compare and push",
		newInitCommand(), newGetCommand(), newUpdateCommand(), newDiffCommand(), newMergeCommand(), newPushCommand(), newTreeCommand())
	cmd.Long = `These commands make, show, fetch, update, compare and merge packages as "kpt pkg" does. Where kpt
overwrites a local edit silently, they report the edit, and can keep it.

A repository is a path, or a file, http, https or ssh URL. For http and https, Git's credential
helpers supply credentials when the server asks. For ssh, the keys of the agent are used, and the
key in the file that WAYBILL_SSH_KEY names, or else the keys in ~/.ssh; the host must be in your
known_hosts. Fetched data is cached, up to 1 GiB, in the folder that WAYBILL_CACHE_DIR names
(default: waybill in your cache folder). Only you can read it.

A package may also be an artifact of a registry, oci://HOST/REPO:TAG. Credentials are then those of
docker login or podman login.`
	return cmd
}

// strategies are the values of --strategy.
var strategies = []string{string(merge.ResourceMerge), string(merge.FastForward), string(merge.ForceDeleteReplace), string(merge.CopyMerge)}

// AddStrategy adds --strategy.
func AddStrategy(cmd *cobra.Command, to *string, value, does string) {
	cmd.Flags().StringVar(to, "strategy", value, does+": "+strings.Join(strategies, ", "))
	cli.CompleteChoices(cmd, "strategy", strategies...)
}

// CheckStrategy returns kpt's error for an unknown strategy.
func CheckStrategy(given string) error {
	if given == "" || merge.Strategy(given).Known() {
		return nil
	}
	return cli.Usagef("unknown update strategy %q: --strategy must be one of %s", given, strings.Join(strategies, ","))
}

func addOnConflict(cmd *cobra.Command, to *string) { AddOnConflict(cmd, to, merge.Upstream) }

// AddOnConflict adds --on-conflict.
func AddOnConflict(cmd *cobra.Command, to *string, value merge.Prefer) {
	cli.AddChoice(cmd, to, "on-conflict", "", string(value), "which side wins where both changed something: %s; fail writes nothing",
		string(merge.Upstream), string(merge.Local), string(merge.Fail))
}

// splitTarget parses DIR[@REF]. Refs and folders may contain slashes and @: DIR ends at the last @ that has an existing folder
// before it.
func splitTarget(arg string) (dir, ref string, err error) {
	if cli.IsDir(arg) || !strings.Contains(arg, "@") {
		return arg, "", nil
	}
	last := strings.LastIndex(arg, "@")
	for at := last; at >= 0; at = strings.LastIndex(arg[:at], "@") {
		if cli.IsDir(cmp.Or(arg[:at], ".")) {
			last = at
			break
		}
	}
	dir, ref = cmp.Or(arg[:last], "."), arg[last+1:]
	if ref == "" {
		return "", "", cli.Usagef("%q names no ref after the @", arg)
	}
	return dir, ref, nil
}

// targetOf returns the package that the arguments name, and its name in messages.
func targetOf(args []string) (dir, ref, name string, err error) {
	dir = "."
	if len(args) == 1 {
		if dir, ref, err = splitTarget(args[0]); err != nil {
			return "", "", "", err
		}
	}
	abs, err := filepath.Abs(dir)
	switch st, missing := os.Stat(dir); {
	case err != nil:
	case missing != nil:
		err = fmt.Errorf("package %q: %w", dir, errors.Unwrap(missing))
	case !st.IsDir():
		err = fmt.Errorf("package %q is not a folder", dir)
	}
	return dir, ref, filepath.Base(abs), err
}
