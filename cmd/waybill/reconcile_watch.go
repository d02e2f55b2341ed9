package main

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

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/controllers/packagevariantset"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Files must rest before they are read, as editors and Git write in several steps; but those that never
// rest are read, too.
const (
	quiet   = 200 * time.Millisecond
	restive = 10 * quiet
)

// checkWatch refuses what does not go with --watch.
func (r *reconcile) checkWatch(once bool) error {
	switch {
	case once:
		return usage("--once and --watch: choose one")
	case r.exitCode:
		return usage("--exit-code goes with --once: --watch has no end to tell of")
	case slices.Contains(r.files, "-"):
		return usage("--watch reads its files again and again: name files, not -")
	case r.interval < time.Second:
		return usage("--interval %s: want at least 1s", r.interval)
	}
	return nil
}

// runOften reconciles until it is interrupted, and prints what is new.
func (r *reconcile) runOften(cmd *cobra.Command, functions runner.Factory) error {
	files, err := watchFiles(r.files)
	if err != nil {
		return err
	}
	defer files.Close()
	var repos *local.Repositories
	var last passed
	said := "" // of files that cannot be read
	for header := true; ; {
		in, err := r.read(cmd)
		if err != nil && said != oneLine(err) {
			fmt.Fprintf(cmd.ErrOrStderr(), "error: %s\n", oneLine(err))
		}
		if said = ""; err != nil {
			said = oneLine(err)
		} else {
			repos = follow(in, repos)
			now := r.pass(cmd.Context(), cmd.ErrOrStderr(), in, repos, functions)
			if cmd.Context().Err() != nil {
				return nil
			}
			news := now.since(last)
			if err := r.printNews(cmd, news, header); err != nil {
				return err
			}
			header, last = header && news.empty(), now
		}
		if !files.wait(cmd.Context(), r.interval) {
			return nil
		}
	}
}

// follow are the repositories of in; those of before stay open.
func follow(in *local.Input, before *local.Repositories) *local.Repositories {
	if before == nil {
		return in.Repositories(nil)
	}
	return before.Again(in)
}

func (r *reconcile) printNews(cmd *cobra.Command, news passed, header bool) error {
	defer r.complain(cmd.ErrOrStderr(), news)
	if news.empty() {
		return nil
	}
	if r.out.format == "yaml" {
		fmt.Fprintln(cmd.OutOrStdout(), "---")
	}
	return r.print(cmd.OutOrStdout(), news, header)
}

func (p passed) empty() bool { return len(p.sets)+len(p.variants) == 0 }

// since is what differs from the pass before: what did something, and what stands otherwise than it
// did.
func (p passed) since(last passed) (news passed) {
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
			return reflect.DeepEqual(rowOf(was), rowOf(rep))
		}) {
			news.sets = append(news.sets, rep)
		}
	}
	for _, rep := range p.variants {
		if changed(rep) || !slices.ContainsFunc(last.variants, func(was packagevariant.Report) bool { return alike(was, rep) }) {
			news.variants = append(news.variants, rep)
		}
	}
	return news
}

// alike reports whether a variant stands as it did: what was done to it is no news the second time.
func alike(was, is packagevariant.Report) bool {
	return was.Namespace == is.Namespace && was.Name == is.Name && was.Draft == is.Draft &&
		reflect.DeepEqual(was.Conditions, is.Conditions) && (was.Err == nil) == (is.Err == nil)
}

// watched tells when files change.
type watched struct{ *fsnotify.Watcher }

// watchFiles watches the folders of files, and all folders below those that are named: that shows
// files that come, and links that are turned.
func watchFiles(paths []string) (*watched, error) {
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
	return &watched{w}, nil
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
func (w *watched) wait(ctx context.Context, interval time.Duration) bool {
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
		if timer.Reset(quiet); restless == nil {
			restless = time.After(restive)
		}
	}
}
