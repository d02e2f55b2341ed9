package gitrepo_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPush checks every outcome of a push against the repository itself: the refs are moved all,
// or stand untouched.
func TestPush(t *testing.T) {
	type ids struct{ head, next, other gitrepo.Hash }
	for name, tc := range map[string]struct {
		reason  string
		prepare func(t *testing.T, dir string) // after the view was taken
		config  string
		updates func(ids) []gitrepo.RefUpdate
		want    string // the error's type
		says    string
	}{
		"create": {
			reason:  "a ref that is not there is made",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/x", New: i.next}} },
		},
		"move": {
			reason: "a ref that is where it should be moves",
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/main", Old: i.head, New: i.next}}
			},
		},
		"several": {
			reason: "a branch, a tag and a deletion go together",
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/tags/p/v1", New: i.next}, {Name: "refs/heads/main", Old: i.head, New: i.next}, {Name: "refs/heads/other", Old: i.other}}
			},
		},
		"known commit": {
			reason: "a new ref to a known commit needs no new object",
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/proposed/x", New: i.other}, {Name: "refs/heads/other", Old: i.other}}
			},
		},
		"delete": {
			reason:  "a deletion alone carries no pack",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/other", Old: i.other}} },
		},
		"exists": {
			reason:  "a ref that must not exist and does is stale",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/other", New: i.next}} },
			want:    "*gitrepo.StaleError", says: "expected no such ref",
		},
		"moved": {
			reason:  "a ref moved since the view was taken is stale, and takes the others with it",
			prepare: func(t *testing.T, dir string) { seed(t, dir, map[string]string{"c": "3"}) },
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}, {Name: "refs/heads/main", Old: i.head, New: i.next}}
			},
			want: "*gitrepo.StaleError", says: "another client moved refs/heads/main",
		},
		"gone": {
			reason:  "a ref deleted since is stale",
			prepare: func(t *testing.T, dir string) { gittest.Git(t, dir, "branch", "-D", "other") },
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/other", Old: i.other}} },
			want:    "*gitrepo.StaleError", says: "found no such ref",
		},
		"hook": {
			reason: "a hook that declines is a rejection that repeats its words on one line",
			prepare: func(t *testing.T, dir string) {
				gittest.Hook(t, dir, "pre-receive", "echo 'not on'; echo 'a sunday' >&2; exit 1")
			},
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}, {Name: "refs/heads/main", Old: i.head, New: i.next}}
			},
			want: "*gitrepo.RejectedError", says: "pre-receive hook declined: not on a sunday",
		},
		"hook on one": {
			reason: "a hook that declines one ref declines all, and the error names that one",
			prepare: func(t *testing.T, dir string) {
				gittest.Hook(t, dir, "update", `case "$1" in refs/heads/main) echo protected >&2; exit 1;; esac`)
			},
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}, {Name: "refs/heads/main", Old: i.head, New: i.next}}
			},
			want: "*gitrepo.RejectedError", says: "refs/heads/main: hook declined: protected",
		},
		"not atomic": {
			reason: "two refs need a server that moves both or none",
			config: "receive.advertiseAtomic=false",
			updates: func(i ids) []gitrepo.RefUpdate {
				return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}, {Name: "refs/heads/b", New: i.next}}
			},
			want: "*gitrepo.RejectedError", says: "does not offer atomic",
		},
		"not atomic, one": {
			reason:  "one ref does not",
			config:  "receive.advertiseAtomic=false",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}} },
		},
		"no deletes": {
			reason:  "a server that allows no deletion says so",
			config:  "receive.denyDeletes=true",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/other", Old: i.other}} },
			want:    "*gitrepo.RejectedError", says: "eletion",
		},
		"under a branch": {
			reason:  "a branch cannot lie under another branch",
			updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/main/x", New: i.next}} },
			want:    "*gitrepo.RejectedError", says: "refs/heads/main/x",
		},
		"bad name": {reason: "a name Git would refuse is refused here", updates: func(i ids) []gitrepo.RefUpdate { return []gitrepo.RefUpdate{{Name: "refs/heads/a..b", New: i.next}} }, want: "*errors.errorString", says: "cannot be the name"},
		"twice": {reason: "no ref is moved twice", updates: func(i ids) []gitrepo.RefUpdate {
			return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: i.next}, {Name: "refs/heads/a", New: i.head}}
		}, want: "*errors.errorString", says: "twice"},
		"nothing": {reason: "a push moves something", updates: func(ids) []gitrepo.RefUpdate { return nil }, want: "*errors.errorString", says: "no ref"},
		"same": {reason: "to where it is not yet", updates: func(i ids) []gitrepo.RefUpdate {
			return []gitrepo.RefUpdate{{Name: "refs/heads/main", Old: i.head, New: i.head}}
		}, want: "*errors.errorString", says: "where it is"},
		"no such thing": {reason: "to something that exists", updates: func(ids) []gitrepo.RefUpdate {
			return []gitrepo.RefUpdate{{Name: "refs/heads/a", New: gitrepo.Hash{1}}}
		}, want: "*gitrepo.RejectedError", says: "neither staged nor known"},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, dir, url string) {
				seed(t, dir, map[string]string{"p/Kptfile": "k"})
				gittest.Commit(t, dir, gittest.Change{Branch: "other", Files: gittest.Files(map[string]string{"b": "2"})})
				if tc.config != "" {
					gittest.Config(t, dir, tc.config)
				}
				r := open(t, url)
				s := r.Stage()
				head, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
				other, err := r.Resolve("other")
				if err != nil {
					t.Fatal(err)
				}
				if tc.prepare != nil {
					tc.prepare(t, dir)
				}
				before, viewBefore := gittest.Refs(t, dir), listing(r)
				updates := tc.updates(ids{head, next, other})
				err = s.Push(t.Context(), updates)
				if got := kind(err); got != tc.want {
					t.Fatalf("%s: got %s (%v), want %s", tc.reason, got, err, tc.want)
				}
				gittest.Fsck(t, dir)
				if tc.want != "" {
					if msg := err.Error(); !strings.Contains(msg, tc.says) || strings.Contains(msg, "\n") {
						t.Errorf("%s: got %q, want one line with %q", tc.reason, msg, tc.says)
					}
					if diff := cmp.Diff(before+viewBefore, gittest.Refs(t, dir)+listing(r)); diff != "" {
						t.Errorf("%s: a failed push moved something (-before +after):\n%s", tc.reason, diff)
					}
					return
				}
				if diff := cmp.Diff(gittest.Refs(t, dir), listing(r)); diff != "" {
					t.Errorf("%s: the view is what the remote is (-remote +view):\n%s", tc.reason, diff)
				}
				for _, u := range updates {
					if ref, ok := r.Ref(u.Name); ok != !u.New.IsZero() || ref.Target != u.New {
						t.Errorf("%s: %s is at %s", tc.reason, u.Name, ref.Target)
					}
				}
			})
		})
	}
}

func TestPushSendsOnlyWhatIsNew(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/Kptfile": "k", "p/big": strings.Repeat("x", 1000), "q/Kptfile": "q"})
	gittest.Config(t, dir, "receive.unpackLimit=1") // what is received stays the pack that was sent
	gittest.Hook(t, dir, "pre-receive", `cat "$GIT_OBJECT_DIRECTORY"/pack/*.idx | git show-index | wc -l | tr -d ' \n' > "$GIT_DIR/received"`)
	r := open(t, dir)
	s := r.Stage()
	// p/big moves to a package of its own: its bytes are known. An unused tree stays behind.
	if _, err := s.Put(tree(t, map[string]string{"never": "pushed"}), gitrepo.Hash{}); err != nil {
		t.Fatal(err)
	}
	_, next := rewrite(t, r, s, "z", map[string]string{"Kptfile": "z", "big": strings.Repeat("x", 1000), "k": "k"})
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}}); err != nil {
		t.Fatal(err)
	}
	const want = "4" // the commit, the root, z, z/Kptfile
	got, err := os.ReadFile(filepath.Join(dir, "received"))
	if err != nil || string(got) != want {
		t.Errorf("the server received %q objects (%v), want %s", got, err, want)
	}
}

// manyDirs is a repository whose root is large enough to be kept as a delta of another one, and its files.
func manyDirs(t *testing.T) (dir string, files map[string]string, r *gitrepo.Repo) {
	t.Helper()
	dir, files = gittest.NewBare(t), map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("dir-%02d/file", i)] = "0"
	}
	seed(t, dir, files)
	return dir, files, open(t, dir)
}

// checkOutside wants the view to hold what is in it, and no more.
func checkOutside(t *testing.T, r *gitrepo.Repo) {
	t.Helper()
	if n := r.Outside(); n > 0 {
		t.Errorf("%d objects are in memory that are not in the view", n)
	}
}

// TestPushHoldsItsObjects pushes a tree that was staged as a delta of one that is not pushed: the view holds what is in it, and no more.
func TestPushHoldsItsObjects(t *testing.T) {
	dir, files, r := manyDirs(t)
	s := r.Stage()
	head, unused := rewrite(t, r, s, "dir-10", map[string]string{"file": "1"})
	root, err := s.Root(unused)
	if err != nil {
		t.Fatal(err)
	}
	if root, err = s.ReplaceDir(root, "dir-20", tree(t, map[string]string{"file": "1"})); err != nil {
		t.Fatal(err)
	}
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/main", Old: head, New: commit(t, s, root, head)}}); err != nil {
		t.Fatal(err)
	}
	checkOutside(t, r)
	files["dir-10/file"], files["dir-20/file"] = "1", "1"
	if diff := cmp.Diff(files, checkout(t, dir, "main")); diff != "" {
		t.Errorf("the pushed files (-want +got):\n%s", diff)
	}
}

// TestViewHoldsOnce has main change and change back, with drafts of it between: what the server sends again is not held twice.
func TestViewHoldsOnce(t *testing.T) {
	dir, files, r := manyDirs(t)
	for i := range 3 {
		s := r.Stage()
		_, draft := rewrite(t, r, s, fmt.Sprintf("dir-%02d", i), map[string]string{"file": "1"})
		if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: fmt.Sprintf("refs/heads/draft-%d", i), New: draft}}); err != nil {
			t.Fatal(err)
		}
		for _, other := range []map[string]*string{gittest.Files(map[string]string{"other": fmt.Sprint(i)}), {"other": nil}} {
			gittest.Commit(t, dir, gittest.Change{Files: other})
			if err := r.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		checkOutside(t, r)
	}
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Files(head, "")
	if diff := cmp.Diff(files, text(got)); err != nil || diff != "" {
		t.Errorf("the files of main: %v (-want +got):\n%s", err, diff)
	}
}

// TestPushRace moves main after the client has looked and before the server does: the server's
// own comparison must stop the push, and the error still say that the race was lost.
func TestPushRace(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		meddle func(t *testing.T, dir string)
		ref    string
	}{
		"moved":   {reason: "main moved on", ref: "refs/heads/main", meddle: func(t *testing.T, dir string) { seed(t, dir, map[string]string{"c": "3"}) }},
		"deleted": {reason: "main went away", ref: "refs/heads/main", meddle: func(t *testing.T, dir string) { gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main") }},
		"created": {reason: "another client made the tag", ref: "refs/tags/p/v1", meddle: func(t *testing.T, dir string) { gittest.Git(t, dir, "tag", "p/v1", "main") }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			seed(t, dir, map[string]string{"p/Kptfile": "k"})
			var once sync.Once
			var after string
			url := gittest.NewHTTP(t, dir, gittest.BeforeReceive(func() {
				once.Do(func() { tc.meddle(t, dir); after = gittest.Refs(t, dir) })
			}))
			r := open(t, url)
			s := r.Stage()
			head, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
			err := s.Push(t.Context(), []gitrepo.RefUpdate{
				{Name: "refs/heads/main", Old: head, New: next}, {Name: "refs/tags/p/v1", New: next}, {Name: "refs/heads/y", New: next}})
			if kind(err) != "*gitrepo.StaleError" || !strings.Contains(err.Error(), "another client moved "+tc.ref) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			if diff := cmp.Diff(after, gittest.Refs(t, dir)); diff != "" {
				t.Errorf("%s: nothing of the push may show (-want +got):\n%s", tc.reason, diff)
			}
			gittest.Fsck(t, dir)
		})
	}
}

func TestPushTroubles(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		opt    func(cancel context.CancelFunc) gittest.Option
		want   string
		says   string
	}{
		"read only": {reason: "a server that lets us read but not write denies access", opt: func(context.CancelFunc) gittest.Option { return gittest.ReadOnly() }, want: "*gitrepo.AuthError", says: "access denied"},
		"cancelled": {reason: "a cancelled push says that it may have happened", opt: func(c context.CancelFunc) gittest.Option { return gittest.BeforeReceive(c) }, want: "*gitrepo.UnreachableError", says: "may have happened or not: context canceled"},
		"connection": {reason: "so does a lost connection", opt: func(context.CancelFunc) gittest.Option {
			return gittest.BeforeReceive(func() { panic(http.ErrAbortHandler) })
		}, want: "*gitrepo.UnreachableError", says: "may have happened or not"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			seed(t, dir, map[string]string{"p/Kptfile": "k"})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := open(t, gittest.NewHTTP(t, dir, tc.opt(cancel)))
			s := r.Stage()
			_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
			err := s.Push(ctx, []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}})
			if kind(err) != tc.want || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
}

func TestSteps(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		seed(t, dir, map[string]string{"p/Kptfile": "k"})
		var got []gitrepo.Step
		r, err := gitrepo.Open(t.Context(), url, gitrepo.Options{OnStep: func(s gitrepo.Step) { got = append(got, s) }})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Stage()
		_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
		if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}}); err != nil {
			t.Fatal(err)
		}
		want := []gitrepo.Step{gitrepo.StepFetched, gitrepo.StepVerified, gitrepo.StepPacked, gitrepo.StepSent, gitrepo.StepAccepted, gitrepo.StepViewed}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("every step is told, in order (-want +got):\n%s", diff)
		}
	})
}

// TestConcurrentUse lets many goroutines read, refresh and push through one Repo; the race
// detector looks on. Each pushes a branch of its own, so that all must succeed.
func TestConcurrentUse(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/Kptfile": "k"})
	r := open(t, dir)
	var wg sync.WaitGroup
	for i := range 8 {
		s := r.Stage()
		head, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": strings.Repeat("k", i+2)})
		wg.Go(func() {
			name := "refs/heads/b" + string(rune('0'+i))
			if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: name, New: next}}); err != nil {
				t.Error(err)
			}
			if err := r.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
			for _, c := range []gitrepo.Hash{head, next} {
				if _, err := r.Package(c, "p"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(gittest.Refs(t, dir), listing(r)); diff != "" {
		t.Errorf("the view is what the remote is (-remote +view):\n%s", diff)
	}
	gittest.Fsck(t, dir)
}
