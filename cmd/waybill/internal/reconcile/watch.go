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
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Files must rest before they are read, as editors and Git write in several steps; but those that never
// rest are read, too.
const (
	quietPeriod  = 200 * time.Millisecond
	maxQuietWait = 10 * quietPeriod
)

// checkWatch refuses what does not go with --watch.
func (r *command) checkWatch(once bool) error {
	switch {
	case once:
		return cli.Usagef("--once and --watch: choose one")
	case r.exitCode:
		return cli.Usagef("--exit-code goes with --once: --watch has no end to tell of")
	case slices.Contains(r.files, "-"):
		return cli.Usagef("--watch reads its files again and again: name files, not -")
	case r.interval < time.Second:
		return cli.Usagef("--interval %s: want at least 1s", r.interval)
	}
	return nil
}

// runWatch reconciles until it is interrupted, and prints what is new.
func (r *command) runWatch(cmd *cobra.Command, functions runner.Factory) error {
	files, err := newFileWatcher(r.files)
	if err != nil {
		return err
	}
	defer files.Close()
	var repos *local.Repositories
	var last outcome
	said := "" // of files that cannot be read
	for header := true; ; {
		in, err := r.read(cmd)
		if err != nil && said != cli.OneLine(err) {
			fmt.Fprintf(cmd.ErrOrStderr(), "error: %s\n", cli.OneLine(err))
		}
		if said = ""; err != nil {
			said = cli.OneLine(err)
		} else {
			repos = reuseRepositories(in, repos)
			now := r.runOnce(cmd.Context(), cmd.ErrOrStderr(), in, repos, functions)
			if cmd.Context().Err() != nil {
				return nil
			}
			news := now.changesSince(last)
			if err := r.printChanges(cmd, news, header); err != nil {
				return err
			}
			header, last = header && news.empty(), now
		}
		if !files.wait(cmd.Context(), r.interval) {
			return nil
		}
	}
}

// reuseRepositories are the repositories of in; those of before stay open.
func reuseRepositories(in *local.Input, before *local.Repositories) *local.Repositories {
	if before == nil {
		return in.Repositories(nil)
	}
	return before.Again(in)
}

func (r *command) printChanges(cmd *cobra.Command, news outcome, header bool) error {
	defer r.printProblems(cmd.ErrOrStderr(), news)
	if news.empty() {
		return nil
	}
	if r.out.Format == "yaml" {
		fmt.Fprintln(cmd.OutOrStdout(), "---")
	}
	return r.print(cmd.OutOrStdout(), news, header)
}

func (p outcome) empty() bool { return len(p.sets)+len(p.variants) == 0 }

// changesSince is what differs from the pass before: what did something, and what stands otherwise than it
// did.
func (p outcome) changesSince(last outcome) (news outcome) {
	for _, o := range p.overlaps {
		if !slices.Contains(last.overlaps, o) {
			news.overlaps = append(news.overlaps, o)
		}
	}
	for _, b := range p.budgets {
		if !slices.Contains(last.budgets, b) {
			news.budgets = append(news.budgets, b)
		}
	}
	for _, rep := range p.sets {
		if !slices.ContainsFunc(last.sets, func(was packagevariantset.Report) bool {
			return reflect.DeepEqual(newSetRow(was), newSetRow(rep))
		}) {
			news.sets = append(news.sets, rep)
		}
	}
	for _, rep := range p.variants {
		if changed(rep) || !slices.ContainsFunc(last.variants, func(was packagevariant.Report) bool { return sameState(was, rep) }) {
			news.variants = append(news.variants, rep)
		}
	}
	return news
}

// sameState reports whether a variant stands as it did: what was done to it is no news the second time.
func sameState(was, is packagevariant.Report) bool {
	return was.Namespace == is.Namespace && was.Name == is.Name && was.Draft == is.Draft &&
		reflect.DeepEqual(was.Conditions, is.Conditions) && (was.Err == nil) == (is.Err == nil)
}

// fileWatcher tells when files change.
type fileWatcher struct{ *fsnotify.Watcher }

// newFileWatcher watches the folders of files, and all folders below those that are named: that shows
// files that come, and links that are turned.
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

// wait returns when files have changed and rest again, or after interval; false when ctx is done.
func (w *fileWatcher) wait(ctx context.Context, interval time.Duration) bool {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	var restless <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-restless:
			return true
		case ev := <-w.Events:
			if ev.Has(fsnotify.Create) {
				_ = addFolders(w.Watcher, ev.Name) // it may be gone again; then there is nothing to watch
			}
		case <-w.Errors: // too many to be told of: look
		}
		if timer.Reset(quietPeriod); restless == nil {
			restless = time.After(maxQuietWait)
		}
	}
}
