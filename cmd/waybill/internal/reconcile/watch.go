package reconcile

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// Editors and Git write files in several steps, so the watcher waits for a quiet period; but not forever.
const (
	quietPeriod  = 200 * time.Millisecond
	maxQuietWait = 10 * quietPeriod
)

// checkWatch refuses flags that contradict --watch.
func (r *command) checkWatch(once bool) error {
	switch {
	case once:
		return cli.Usagef("--once and --watch: choose one")
	case r.exitCode:
		return cli.Usagef("--exit-code is for --once: --watch has no end")
	case slices.Contains(r.files, "-"):
		return cli.Usagef("--watch reads its files repeatedly: name files, not -")
	case r.interval < time.Second:
		return cli.Usagef("--interval %s: want at least 1s", r.interval)
	}
	return nil
}

// runWatch reconciles until it is interrupted, and prints what changed.
func (r *command) runWatch(cmd *cobra.Command, functions runner.Factory) error {
	files, err := newFileWatcher(r.files)
	if err != nil {
		return err
	}
	defer files.Close()
	var repos Repositories
	var last outcome
	lastErr := "" // of unreadable files
	for header := true; ; {
		in, err := r.read(cmd)
		if err == nil {
			repos, err = r.repositories(cmd, in, repos)
		}
		if err != nil && lastErr != cli.OneLine(err) {
			fmt.Fprintf(cmd.ErrOrStderr(), "error: %s\n", cli.OneLine(err))
		}
		if lastErr = ""; err != nil {
			lastErr = cli.OneLine(err)
		} else {
			now := r.runOnce(cmd, in, repos, functions)
			if cmd.Context().Err() != nil {
				return nil
			}
			changes := now.changesSince(last)
			if err := r.printChanges(cmd, changes, header); err != nil {
				return err
			}
			header, last = header && changes.empty(), now
		}
		if !files.wait(cmd.Context(), r.interval) {
			return nil
		}
	}
}

func (r *command) printChanges(cmd *cobra.Command, changes outcome, header bool) error {
	defer r.printProblems(cmd.ErrOrStderr(), changes)
	if changes.empty() {
		return nil
	}
	if r.out.Format == "yaml" {
		fmt.Fprintln(cmd.OutOrStdout(), "---")
	}
	return r.print(cmd.OutOrStdout(), changes, header)
}

func (o outcome) empty() bool { return len(o.sets)+len(o.variants) == 0 }

// changesSince returns what changed something, and what has another state than after the last run.
func (o outcome) changesSince(last outcome) outcome {
	return outcome{
		warnings: newIn(o.warnings, last.warnings, func(was, is string) bool { return was == is }),
		overlaps: newIn(o.overlaps, last.overlaps, func(was, is snapshot.Overlap) bool { return was == is }),
		budgets:  newIn(o.budgets, last.budgets, func(was, is budget.Note) bool { return was == is }),
		sets: newIn(o.sets, last.sets, func(was, is variantset.Report) bool {
			return reflect.DeepEqual(newSetRow(was), newSetRow(is))
		}),
		variants: newIn(o.variants, last.variants, func(was, is reconciler.Report) bool { return !changed(is) && sameState(was, is) }),
	}
}

// newIn returns what is in now and is the same as nothing in last.
func newIn[T any](now, last []T, same func(was, is T) bool) []T {
	return slices.DeleteFunc(slices.Clone(now), func(is T) bool {
		return slices.ContainsFunc(last, func(was T) bool { return same(was, is) })
	})
}

// sameState reports whether a variant has the same state as before, also if something was done for it.
func sameState(was, is reconciler.Report) bool {
	return was.Namespace == is.Namespace && was.Name == is.Name && was.Draft == is.Draft &&
		reflect.DeepEqual(was.Conditions, is.Conditions) && (was.Err == nil) == (is.Err == nil)
}

// fileWatcher reports changes of files.
type fileWatcher struct{ *fsnotify.Watcher }

// newFileWatcher watches the folders of files, and all folders below named ones. That shows new files and changed links.
func newFileWatcher(paths []string) (*fileWatcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	for _, path := range paths {
		if err := addFolders(w, path); err != nil {
			w.Close()
			return nil, fmt.Errorf("watch %s: %w", path, err)
		}
	}
	return &fileWatcher{w}, nil
}

func addFolders(w *fsnotify.Watcher, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return w.Add(filepath.Dir(path))
	}
	return filepath.WalkDir(path, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return w.Add(dir)
	})
}

// wait returns true when files changed and are quiet, or after interval; false when ctx ends.
func (w *fileWatcher) wait(ctx context.Context, interval time.Duration) bool {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	var deadline <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-deadline:
			return true
		case ev := <-w.Events:
			if ev.Has(fsnotify.Create) {
				_ = addFolders(w.Watcher, ev.Name) // may be deleted again; then there is nothing to watch
			}
		case <-w.Errors: // lost events: reconcile
		}
		if timer.Reset(quietPeriod); deadline == nil {
			deadline = time.After(maxQuietWait)
		}
	}
}
