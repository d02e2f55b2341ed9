package gitrepo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// forget has the server forget a history of so many commits, and have another one. It returns the commits whose files the view lacks.
func forget(t *testing.T, dir string, n int) (gone []gitrepo.Hash) {
	t.Helper()
	for i := range n - 1 {
		gone = append(gone, hash(t, gittest.Git(t, dir, "rev-parse", fmt.Sprintf("shop/v%d", i+1))))
	}
	for ref := range strings.Lines(gittest.Git(t, dir, "for-each-ref", "--format=%(refname)")) {
		gittest.Git(t, dir, "update-ref", "-d", strings.TrimSpace(ref))
	}
	gittest.Git(t, dir, "gc", "--quiet", "--prune=now")
	grow(t, dir, 1000, 1060)
	return gone
}

// checkGone wants each commit to be said to be gone.
func checkGone(t *testing.T, repo *gitrepo.Repo, commits ...gitrepo.Hash) {
	t.Helper()
	for _, id := range commits {
		_, err := repo.Package(id, "shop")
		var gone *gitrepo.GoneError
		if !errors.As(err, &gone) || gone.Commit != id {
			t.Errorf("%s: got %v, want a GoneError", id, err)
		}
	}
}

// TestPartialGone has a server lose many commits: their files cannot come any more, and the error says so. The server is asked for each
// of them once, and never for everything. When one is put back, it is read after the next refresh.
func TestPartialGone(t *testing.T) {
	const n = 40
	dir := gittest.NewBare(t)
	withFilter(t, dir)
	grow(t, dir, 0, n)
	backup := t.TempDir()
	gittest.Git(t, dir, "clone", "--quiet", "--mirror", dir, backup)
	var got received
	repo := open(t, gittest.NewHTTP(t, dir, got.option))
	gone := forget(t, dir, n)
	got.answers.Store(0)
	got.bytes.Store(0)
	checkGone(t, repo, gone...)
	if asked := got.answers.Swap(0); asked > int64(len(gone)) {
		t.Errorf("%d requests for %d commits", asked, len(gone))
	}
	if most := int64(len(gone) * 20_000); got.bytes.Load() > most {
		t.Errorf("the answers are %d bytes, want at most %d", got.bytes.Load(), most)
	}
	checkGone(t, repo, gone...)
	if err := repo.NeedTrees(gone); err != nil {
		t.Error(err)
	}
	if again := got.answers.Load(); again > 0 {
		t.Errorf("to read them again takes %d requests", again)
	}
	gittest.Git(t, dir, "fetch", "--quiet", backup, "refs/tags/shop/v2:refs/tags/back/v1")
	checkGone(t, repo, gone[1])
	if err := repo.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Package(gone[1], "shop"); err != nil {
		t.Errorf("after it was put back: %v", err)
	}
	checkSame(t, open(t, "file://"+dir), repo)
}

// TestPartialCanceled reads an old commit from a server that does not answer any more. The read ends when the context of the options
// does, long before the bound of a silent conversation, and so does one that waits for the first.
func TestPartialCanceled(t *testing.T) {
	dir := gittest.NewBare(t)
	withFilter(t, dir)
	grow(t, dir, 0, 8)
	ctx, cancel := context.WithCancel(t.Context())
	var hangs atomic.Bool
	arrived := make(chan struct{}, 1)
	url := gittest.NewHTTP(t, dir, gittest.Hang(&hangs, arrived))
	repo, err := gitrepo.Open(t.Context(), url, gitrepo.Options{Context: ctx, Bounds: gitrepo.Bounds{Silence: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	hangs.Store(true)
	old := hash(t, gittest.Git(t, dir, "rev-parse", "shop/v2"))
	ended := make(chan error)
	for _, read := range []func() error{
		func() error { _, err := repo.Package(old, "shop"); return err },
		func() error { return repo.NeedTrees([]gitrepo.Hash{old}) },
		func() error { _, err := repo.Stage().Root(old); return err },
	} {
		go func() { ended <- read() }()
	}
	<-arrived
	cancel()
	for range 3 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that of the context", err)
		}
	}
	hangs.Store(false)
	if err := repo.Refresh(t.Context()); err != nil {
		t.Errorf("the view is of use afterwards: %v", err)
	}
}
