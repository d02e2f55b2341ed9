package upstream_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// repositories are bare repositories, as both kpt and waybill reach them.
type repositories struct {
	dir     string
	base    string            // what stands before "/NAME": the folder, or a URL
	commits map[string]string // by "NAME@ref"
	tags    map[string]string // by the id of an annotated tag, the commit it stands for
}

// openRepositories makes the repositories that archive fills, each file called ref:NAME/path. A ref is a tag;
// "tag!" before it makes that an annotated one, "branch!" a branch, whose newest commit the last of
// that name is. In a file $BASE is where the repositories are, and $COMMIT(NAME@ref) the id of a ref that
// came before. A file whose name ends in "|x" is a program, in "|link" a symbolic link. HEAD is the branch
// trunk, to which every commit belongs.
func openRepositories(t testing.TB, archive []txtar.File, http bool) *repositories {
	t.Helper()
	s := &repositories{dir: t.TempDir(), commits: map[string]string{}, tags: map[string]string{}}
	s.base = s.dir
	for _, name := range reposIn(archive) {
		gittest.Git(t, s.dir, "init", "--quiet", "--bare", "--initial-branch=trunk", name+".git")
		if http && s.base == s.dir {
			s.base = strings.TrimSuffix(gittest.NewHTTP(t, s.repo(name)), "/"+name+".git")
		}
	}
	for len(archive) > 0 {
		ref, name := placeOf(archive[0])
		n := 1
		for n < len(archive) && sameCommit(archive[n], ref, name) {
			n++
		}
		s.publish(t, ref, name, archive[:n])
		archive = archive[n:]
	}
	return s
}

func (s *repositories) repo(name string) string { return filepath.Join(s.dir, name+".git") }

func sameCommit(f txtar.File, ref, name string) bool {
	r, n := placeOf(f)
	return r == ref && n == name
}

// placeOf splits ref:NAME/path into ref and NAME.
func placeOf(f txtar.File) (ref, name string) {
	ref, rest, _ := strings.Cut(f.Name, ":")
	name, _, _ = strings.Cut(rest, "/")
	return ref, name
}

func reposIn(archive []txtar.File) (out []string) {
	for _, f := range archive {
		if _, name := placeOf(f); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// publish makes one commit, of these files alone, and its ref.
func (s *repositories) publish(t testing.TB, ref, name string, files []txtar.File) {
	t.Helper()
	var in strings.Builder
	when := gittest.Epoch.Unix() + int64(len(s.commits))
	fmt.Fprintf(&in, "commit refs/heads/trunk\nmark :1\ncommitter Seed <seed@example.com> %d +0000\ndata %d\n%s\n", when, len(ref), ref)
	if before := s.commits[name+"@trunk"]; before != "" {
		fmt.Fprintf(&in, "from %s\n", before)
	}
	in.WriteString("deleteall\n")
	for _, f := range files {
		p, kind, _ := strings.Cut(strings.SplitN(f.Name, name+"/", 2)[1], "|")
		mode := map[string]string{"": "100644", "x": "100755", "link": "120000"}[kind]
		data := s.text(string(f.Data))
		if kind == "link" {
			data = strings.TrimSpace(data)
		}
		fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, p, len(data), data)
	}
	kind, short, ok := strings.Cut(ref, "!")
	if !ok {
		kind, short = "", ref
	}
	switch kind {
	case "branch":
		fmt.Fprintf(&in, "reset refs/heads/%s\nfrom :1\n", short)
	case "tag":
		fmt.Fprintf(&in, "tag %s\nmark :2\nfrom :1\ntagger Seed <seed@example.com> %d +0000\ndata 1\nx\nget-mark :2\n", short, when)
	default:
		fmt.Fprintf(&in, "reset refs/tags/%s\nfrom :1\n", short)
	}
	ids := s.fastImport(t, name, in.String()+"get-mark :1\n")
	commit := ids[len(ids)-1]
	s.commits[name+"@"+short], s.commits[name+"@trunk"] = commit, commit
	if kind == "tag" {
		s.tags[ids[0]] = commit
	}
}

// fastImport returns the ids that in asks for.
func (s *repositories) fastImport(t testing.TB, name, in string) []string {
	t.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Env, cmd.Stdin = s.repo(name), gittest.Env(), strings.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, in)
	}
	return strings.Fields(string(out))
}

// show is a file of a commit, "" if there is none.
func (s *repositories) show(name, commit, file string) string {
	cmd := exec.Command("git", "cat-file", "blob", commit+":"+file)
	cmd.Dir, cmd.Env = s.repo(name), gittest.Env()
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// list are the files in a folder of a commit.
func (s *repositories) list(name, commit, dir string) []string {
	cmd := exec.Command("git", "ls-tree", "-r", "--name-only", strings.TrimSuffix(commit+":"+dir, "."))
	cmd.Dir, cmd.Env = s.repo(name), gittest.Env()
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// text fills in addresses and commit ids.
func (s *repositories) text(text string) string {
	for at, id := range s.commits {
		text = strings.ReplaceAll(text, "$COMMIT("+at+")", id)
	}
	return strings.ReplaceAll(text, "$BASE", s.base)
}
