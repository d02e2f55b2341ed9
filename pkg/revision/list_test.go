package revision_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestListRefs reads refs that real git made.
func TestListRefs(t *testing.T) {
	user := []string{"-c", "user.name=T", "-c", "user.email=t@example.com"}
	for name, tc := range map[string]struct {
		reason string
		cfg    revision.Config
		files  map[string]string // on main
		note   string            // message of main's commit
		refs   []string          // branches and tags at main, by full name
		tags   []string          // annotated tags at main
		want   []string
	}{
		"empty": {reason: "a repository without packages has no revisions", files: map[string]string{"README.md": "x"}},
		"placeholders": {
			reason: "main's topmost packages are placeholders; nested Kptfiles are subpackages",
			files:  map[string]string{"b/Kptfile": "", "b/sub/Kptfile": "", "a/x/Kptfile": "", "Makefile": ""},
			want:   []string{"a/x main -1 Published", "b main -1 Published"},
		},
		"branches": {
			reason: "drafts and proposals are revision 0, when their commit holds the package",
			files:  map[string]string{"a/b/Kptfile": ""},
			refs:   []string{"refs/heads/drafts/a/b/w1", "refs/heads/proposed/a/b/w2", "refs/heads/drafts/nope/w", "refs/heads/drafts/w", "refs/heads/other/a/b/w"},
			want:   []string{"a/b main -1 Published", "a/b w1 0 Draft", "a/b w2 0 Proposed"},
		},
		"tags": {
			reason: "the number follows an optional v; other tags are placeholders; tags without slash are ignored",
			files:  map[string]string{"a/Kptfile": ""},
			refs:   []string{"refs/tags/a/v2", "refs/tags/a/3", "refs/tags/a/stable", "refs/tags/a/v-1", "refs/tags/a/+4", "refs/tags/v9", "refs/tags/nope/v1"},
			tags:   []string{"a/v1"},
			want:   []string{"a +4 -1 Published", "a main -1 Published", "a stable -1 Published", "a v-1 -1 Published", "a v1 1 Published", "a v2 2 Published", "a v3 3 Published *"},
		},
		"deletion": {
			reason: "a branch proposes deletion, by number or by workspace",
			files:  map[string]string{"a/Kptfile": "", "b/Kptfile": ""},
			refs: []string{"refs/tags/a/v1", "refs/tags/a/v2", "refs/tags/a/stable", "refs/heads/deletionProposed/a/v1",
				"refs/heads/deletionProposed/a/stable", "refs/heads/deletionProposed/b/main"},
			want: []string{"a main -1 Published", "a stable -1 DeletionProposed", "a v1 1 DeletionProposed", "a v2 2 Published *", "b main -1 DeletionProposed"},
		},
		"latest deleted": {
			reason: "what is proposed for deletion is still published, and may be the latest",
			files:  map[string]string{"a/Kptfile": ""},
			refs:   []string{"refs/tags/a/v10", "refs/tags/a/v9", "refs/heads/deletionProposed/a/v10"},
			want:   []string{"a main -1 Published", "a v9 9 Published", "a v10 10 DeletionProposed *"},
		},
		"workspace": {
			reason: "a tagged commit's annotation for the package names the workspace; others do not",
			files:  map[string]string{"a/Kptfile": "", "b/Kptfile": ""},
			note:   "s\n\nkpt:{\"package\":\"b\",\"workspaceName\":\"wb\",\"revision\":\"1\"}\nkpt:junk\n",
			refs:   []string{"refs/tags/a/v1", "refs/tags/b/v1"},
			want:   []string{"a main -1 Published", "a v1 1 Published *", "b main -1 Published", "b wb 1 Published *"},
		},
		"directory": {
			reason: "only packages below the directory count, and names leave the directory out",
			cfg:    revision.Config{Directory: "pkgs"},
			files:  map[string]string{"pkgs/a/Kptfile": "", "pkgs-2/b/Kptfile": "", "c/Kptfile": ""},
			refs:   []string{"refs/tags/pkgs/a/v1", "refs/tags/c/v1", "refs/tags/pkgs/v1", "refs/heads/drafts/pkgs/a/w", "refs/heads/drafts/c/w", "refs/heads/deletionProposed/pkgs/a/v1"},
			want:   []string{"a main -1 Published", "a w 0 Draft", "a v1 1 DeletionProposed *"},
		},
		"root package": {
			reason: "a package at the root of the repository has no name, and hides those in it",
			files:  map[string]string{"Kptfile": "", "a/Kptfile": ""},
			refs:   []string{"refs/tags/a/v1"},
			want:   []string{"a v1 1 Published *"},
		},
		"other branch": {
			reason: "the main branch may have another name, which is the placeholders' workspace",
			cfg:    revision.Config{Branch: "prod"},
			files:  map[string]string{"a/Kptfile": ""},
			refs:   []string{"refs/heads/prod"},
			want:   []string{"a prod -1 Published"},
		},
		"no branch": {
			reason: "without main branch there are no placeholders, but drafts and tags",
			cfg:    revision.Config{Branch: "prod"},
			files:  map[string]string{"a/Kptfile": ""},
			refs:   []string{"refs/tags/a/v1"},
			want:   []string{"a v1 1 Published *"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(tc.files), Message: tc.note})
			for _, ref := range tc.refs {
				gittest.Git(t, dir, "update-ref", ref, "main")
			}
			for _, tag := range tc.tags {
				gittest.Git(t, dir, append(user, "tag", "-a", "-m", "m", tag, "main")...)
			}
			s := openStore(t, dir, tc.cfg)
			got := list(t, s)
			if diff := cmp.Diff(tc.want, brief(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			for _, r := range got {
				if r.Commit.String() != gittest.Git(t, dir, "rev-parse", "main") || r.Target.String() != gittest.Git(t, dir, "rev-parse", r.Ref) {
					t.Errorf("%s: %s is commit %s by %s", tc.reason, r.Name, r.Commit, r.Target)
				}
				if r.Name != "edge."+strings.ReplaceAll(r.Package, "/", ".")+"."+r.Workspace {
					t.Errorf("%s: object name %s", tc.reason, r.Name)
				}
			}
			checkLaws(t, dir, s, tc.cfg)
		})
	}
}

func TestPlaceholderPublishedBy(t *testing.T) {
	dir, s := newRepo(t, revision.Config{})
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"hand/Kptfile": ""})})
	if err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	req := initDraft(t, "web", "w1")
	req.User = revision.Identity{Name: "Ann", Email: "ann@example.com"}
	rev := must(t)(s.CreateDraft(ctx, req))
	by := later(7)
	by.User = revision.Identity{Email: "bob@example.com"}
	must(t)(s.Approve(ctx, must(t)(s.Propose(ctx, rev)), by))
	got := map[string]string{}
	for _, r := range list(t, s) {
		got[r.Name] = r.PublishedBy + " " + r.PublishedAt.Sub(gittest.Epoch).String()
	}
	zero := revision.Revision{}.PublishedAt.Sub(gittest.Epoch).String()
	want := map[string]string{"edge.hand.main": " " + zero, "edge.web.main": "bob@example.com 7m0s", "edge.web.w1": "bob@example.com 7m0s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the author of the approval published it; without an annotation there is none (-want +got):\n%s", diff)
	}
}
