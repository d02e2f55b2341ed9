package revision_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestApproveRaces moves main between the client's read and the push, so many times.
func TestApproveRaces(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		moves  int
		pauses []time.Duration
		fails  bool
	}{
		"calm":    {reason: "no race, no pause"},
		"once":    {reason: "after one lost race the approval is tried again", moves: 1, pauses: []time.Duration{200 * time.Millisecond}},
		"twice":   {reason: "pauses grow", moves: 2, pauses: []time.Duration{200 * time.Millisecond, 400 * time.Millisecond}},
		"forever": {reason: "attempts are bounded", moves: 99, pauses: []time.Duration{200 * time.Millisecond, 400 * time.Millisecond}, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, plain := newRepo(t, revision.Config{})
			must(t)(plain.Propose(ctx, must(t)(plain.CreateDraft(ctx, cloneRequest(t)))))
			moved := 0
			url := gittest.NewHTTP(t, dir, gittest.BeforeReceive(func() {
				if moved < tc.moves {
					moved++
					gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{fmt.Sprint("other", moved): ""})})
				}
			}))
			var pauses []time.Duration
			s := retryingStore(t, url, &pauses)
			_, err := s.Approve(ctx, list(t, s)[0], later(9))
			if tc.fails != isStale(err) || !tc.fails && err != nil {
				t.Fatalf("%s: got %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.pauses, pauses); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			files := gittest.Git(t, dir, "ls-tree", "-r", "--name-only", "main")
			if strings.Count(files, "other") != moved || strings.Contains(files, "net/upf/Kptfile") == tc.fails {
				t.Errorf("%s: main holds\n%s", tc.reason, files)
			}
			if tags := gittest.Git(t, dir, "tag"); (tags == "net/upf/v1") == tc.fails {
				t.Errorf("%s: tags %q", tc.reason, tags)
			}
			gittest.Fsck(t, dir)
		})
	}
}

// retryingStore is a Store of three attempts that records its pauses.
func retryingStore(t testing.TB, url string, pauses *[]time.Duration) *revision.Store {
	t.Helper()
	repo, err := gitrepo.Open(ctx, url, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := revision.New(repo, revision.Config{Name: "edge", Attempts: 3, Wait: func(_ context.Context, d time.Duration) error {
		*pauses = append(*pauses, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestApproveDeclined(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		hook   string
		script string
		pauses []time.Duration
	}{
		"update":      {reason: "a push to a protected branch is not repeated", hook: "update", script: `test "$1" != refs/heads/main || { echo 'main is protected' >&2; exit 1; }`},
		"pre-receive": {reason: "a push that a pre-receive hook declines is repeated, with longer pauses", hook: "pre-receive", script: "echo 'main is protected' >&2; exit 1", pauses: []time.Duration{time.Second, 2 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, plain := newRepo(t, revision.Config{})
			must(t)(plain.Propose(ctx, must(t)(plain.CreateDraft(ctx, cloneRequest(t)))))
			gittest.Hook(t, dir, tc.hook, tc.script)
			var pauses []time.Duration
			s := retryingStore(t, dir, &pauses)
			unchanged(t, tc.reason, dir, func() {
				_, err := s.Approve(ctx, list(t, s)[0], later(9))
				var rejected *gitrepo.RejectedError
				if !errors.As(err, &rejected) || !strings.Contains(err.Error(), "main is protected") {
					t.Errorf("%s: got %v", tc.reason, err)
				}
			})
			if diff := cmp.Diff(tc.pauses, pauses); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestApproveConcurrent approves many proposals from many clients; all must succeed, each tag on
// a main that has all approvals before it.
func TestApproveConcurrent(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	url := gittest.NewHTTP(t, dir)
	const packages, workspaces = 2, 2
	for p := range packages {
		for w := range workspaces {
			rev := must(t)(s.CreateDraft(ctx, initDraft(t, fmt.Sprint("p", p), fmt.Sprint("w", w))))
			must(t)(s.Propose(ctx, rev))
		}
	}
	var wg sync.WaitGroup
	for _, rev := range list(t, s) {
		mine := openStore(t, url, revision.Config{Attempts: 50})
		wg.Go(func() {
			if _, err := mine.Approve(ctx, rev, later(9)); err != nil {
				t.Errorf("%s: %v", rev.Name, err)
			}
		})
	}
	wg.Wait()
	if err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if got := gittest.Git(t, dir, "tag"); got != "p0/v1\np0/v2\np1/v1\np1/v2" {
		t.Errorf("each package has revisions 1 and 2; got\n%s", got)
	}
	if got := gittest.Git(t, dir, "rev-list", "--first-parent", "--count", "main"); got != "5" {
		t.Errorf("main has %s commits, want one more than approvals", got)
	}
	checkLaws(t, dir, s, revision.Config{})
}

func TestWaitEndsWithContext(t *testing.T) {
	dir, plain := newRepo(t, revision.Config{})
	must(t)(plain.Propose(ctx, must(t)(plain.CreateDraft(ctx, cloneRequest(t)))))
	repo, err := gitrepo.Open(ctx, dir, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := revision.New(repo, revision.Config{Name: "edge"}) // waits by the real timer
	if err != nil {
		t.Fatal(err)
	}
	rev := list(t, s)[0]
	gittest.Hook(t, dir, "pre-receive", "exit 1")
	soon, cancel := context.WithTimeout(ctx, 300*time.Millisecond) // within the first pause
	defer cancel()
	if _, err := s.Approve(soon, rev, later(9)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the pause did not end with its context: %v", err)
	}
}
