package gitrepo_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

var someone = gitrepo.Signature{Name: "Some One", Email: "one@example.com", When: gittest.Epoch}

// commit stages a commit of root on parents.
func commit(t testing.TB, s *gitrepo.Stage, root gitrepo.Hash, parents ...gitrepo.Hash) gitrepo.Hash {
	t.Helper()
	id, err := s.Commit(gitrepo.Commit{Tree: root, Parents: parents, Author: someone, Committer: someone, Message: "m\n"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// rewrite stages main with dir replaced, and returns main's head and the new commit.
func rewrite(t testing.TB, r *gitrepo.Repo, s *gitrepo.Stage, dir string, files map[string]string) (head, next gitrepo.Hash) {
	t.Helper()
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	root, err := s.Root(head)
	if err != nil {
		t.Fatal(err)
	}
	root, err = s.ReplaceDir(root, dir, tree(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return head, commit(t, s, root, head)
}

func TestReplaceDir(t *testing.T) {
	start := map[string]string{"README.md": "r", "net/upf/Kptfile": "k", "net/upf/old/x": "1", "net/smf/Kptfile": "s", "net-2/a": "a", "alone/deep/x": "x"}
	for name, tc := range map[string]struct {
		reason string
		dir    string
		files  map[string]string
		err    string
	}{
		"replace":       {reason: "what the package lacks goes, what is beside it stays", dir: "net/upf", files: map[string]string{"Kptfile": "k2", "new/y": "2"}},
		"same":          {reason: "the same content is the same tree", dir: "net/upf", files: map[string]string{"Kptfile": "k", "old/x": "1"}},
		"add":           {reason: "directories on the way are made", dir: "net/new/pkg", files: map[string]string{"Kptfile": "k"}},
		"sorts":         {reason: "names that sort unlike their paths are put in Git's order", dir: "net-1", files: map[string]string{"a/b": "1", "a-b": "2", "a.b/c": "3", "a0": "4", "a+": "5"}},
		"root":          {reason: "the root is a directory too", dir: "", files: map[string]string{"Kptfile": "k"}},
		"remove":        {reason: "an empty package removes the directory", dir: "net/upf", files: nil},
		"prune":         {reason: "and the directories that this empties", dir: "alone/deep", files: nil},
		"remove all":    {reason: "down to the empty tree", dir: "", files: nil},
		"remove none":   {reason: "removing what is not there changes nothing", dir: "nope/x", files: nil},
		"through file":  {reason: "a file on the way is an error that names it", dir: "README.md/x", files: map[string]string{"Kptfile": "k"}, err: `"README.md" is not a directory`},
		"over file":     {reason: "so is a file in its place", dir: "README.md", files: map[string]string{"Kptfile": "k"}, err: `"README.md" is not a directory`},
		"outside":       {reason: "a path that leaves the repository is refused", dir: "../x", files: map[string]string{"Kptfile": "k"}, err: "leaves the package"},
		"git directory": {reason: "so is .git", dir: "a/.git", files: map[string]string{"Kptfile": "k"}, err: "lies in a .git directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			seed(t, dir, start)
			r := open(t, dir)
			s := r.Stage()
			head, err := r.Resolve("main")
			if err != nil {
				t.Fatal(err)
			}
			root, err := s.Root(head)
			if err != nil {
				t.Fatal(err)
			}
			next, err := s.ReplaceDir(root, tc.dir, tree(t, tc.files))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("%s: got error %v", tc.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/next", New: commit(t, s, next, head)}}); err != nil {
				t.Fatal(err)
			}
			gittest.Fsck(t, dir)
			want := expected(start, tc.dir, tc.files)
			if diff := cmp.Diff(want, checkout(t, dir, "next")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if same := maps.Equal(want, start); same != (next == root) {
				t.Errorf("%s: same content %v, same tree %v", tc.reason, same, next == root)
			}
		})
	}
}

// expected is what replacing dir means, said with maps.
func expected(start map[string]string, dir string, files map[string]string) map[string]string {
	prefix := dir + "/"
	if dir == "" {
		prefix = ""
	}
	out := map[string]string{}
	for p, s := range start {
		if !strings.HasPrefix(p, prefix) {
			out[p] = s
		}
	}
	for p, s := range files {
		out[prefix+p] = s
	}
	return out
}

// checkout reads a branch with real git, and checks that every file has mode 100644.
func checkout(t testing.TB, dir, branch string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.SplitSeq(gittest.Git(t, dir, "ls-tree", "-r", branch), "\n") {
		meta, p, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if !strings.HasPrefix(meta, "100644 blob ") {
			t.Errorf("%s: got %s, want mode 100644", p, meta)
		}
		out[p] = gittest.Git(t, dir, "cat-file", "blob", branch+":"+p)
	}
	return out
}

func TestCommit(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	r := open(t, dir)
	head, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	was, err := r.Commit(head)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason string
		edit   func(*gitrepo.Commit)
		err    string
	}{
		"plain":         {reason: "what is written is read back", edit: func(*gitrepo.Commit) {}},
		"two parents":   {reason: "parents keep their order", edit: func(c *gitrepo.Commit) { c.Parents = []gitrepo.Hash{head, was.Hash} }},
		"message":       {reason: "the message keeps every byte", edit: func(c *gitrepo.Commit) { c.Message = "s\n\n\nkpt:{}\n\nX: y" }},
		"zone":          {reason: "a time is written in UTC", edit: func(c *gitrepo.Commit) { c.Author.When = c.Author.When.In(time.FixedZone("x", 3600)) }},
		"no email":      {reason: "an email may be missing", edit: func(c *gitrepo.Commit) { c.Author.Email = "" }},
		"no name":       {reason: "a name may not", edit: func(c *gitrepo.Commit) { c.Author.Name = "" }, err: `author: "" cannot be the name`},
		"newline":       {reason: "nor may it smuggle in a header", edit: func(c *gitrepo.Commit) { c.Author.Name = "a\nparent x" }, err: "cannot be the name"},
		"angle bracket": {reason: "nor an address", edit: func(c *gitrepo.Commit) { c.Committer.Email = "a>b" }, err: "committer: "},
		"early":         {reason: "Git knows no time before 1970", edit: func(c *gitrepo.Commit) { c.Author.When = time.Time{} }, err: "before 1970"},
		"nul":           {reason: "a message holds no NUL", edit: func(c *gitrepo.Commit) { c.Message = "a\x00b" }, err: "NUL"},
	} {
		t.Run(name, func(t *testing.T) {
			want := gitrepo.Commit{Tree: was.Tree, Parents: []gitrepo.Hash{head}, Author: someone, Committer: someone, Message: "m\n"}
			tc.edit(&want)
			s := r.Stage()
			id, err := s.Commit(want)
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("%s: got error %v", tc.reason, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			branch := "refs/heads/" + strings.ReplaceAll(name, " ", "-")
			if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: branch, New: id}}); err != nil {
				t.Fatal(err)
			}
			got, err := r.Commit(id)
			if err != nil {
				t.Fatal(err)
			}
			want.Hash, want.Author.When = id, want.Author.When.UTC()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			gittest.Fsck(t, dir)
		})
	}
}

// TestReplaceSubmodule: a blob is pushed although a submodule in its place had the same id, as the remote need not have that.
func TestReplaceSubmodule(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/a": "1"})
	cacheinfo(t, dir, "160000", gitrepo.Hash(pkgtree.NewBlob([]byte("k")).GitID()).String(), "p/Kptfile")
	r := open(t, dir)
	s := r.Stage()
	_, next := rewrite(t, r, s, "p", map[string]string{"a": "1", "Kptfile": "k"})
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/next", New: next}}); err != nil {
		t.Fatal(err)
	}
	gittest.Fsck(t, dir)
}
