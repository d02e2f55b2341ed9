package revision_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// porchReader reads a repository as Porch does. It is written from the description of Porch's layout
// alone, on git's plumbing, and shares no code with the Store that it is compared with.
type porchReader struct {
	testing.TB
	dir              string
	name             string // of the Repository object
	branch, below    string // main branch, root directory of the packages
	messages, listed map[string]string
}

// seen is what refs and commits say about a revision.
type seen struct {
	Name, Package, Workspace string
	Revision                 int
	Lifecycle                string
	Latest                   bool
	Commit                   string
	By                       string // email
	At                       int64
}

func newPorch(t testing.TB, dir string, cfg revision.Config) *porchReader {
	return &porchReader{TB: t, dir: dir, name: cmp.Or(cfg.Name, "edge"), branch: cmp.Or(cfg.Branch, "main"), below: cfg.Directory,
		messages: map[string]string{}, listed: map[string]string{}}
}

// read lists all revisions, sorted.
func (p *porchReader) read() []seen {
	p.Helper()
	refs := p.refs()
	var out []seen
	for ref, commit := range refs {
		dir, last := splitLast(ref)
		for prefix, life := range map[string]string{"refs/heads/drafts/": "Draft", "refs/heads/proposed/": "Proposed"} {
			if at, ok := strings.CutPrefix(dir, prefix); ok && p.holds(commit, at) {
				out = append(out, seen{Package: p.relative(at), Workspace: last, Lifecycle: life, Commit: commit})
			}
		}
		if at, ok := strings.CutPrefix(dir, "refs/tags/"); ok && p.holds(commit, at) {
			out = append(out, p.tagged(refs, commit, at, last))
		}
	}
	if head := refs["refs/heads/"+p.branch]; head != "" {
		out = append(out, p.placeholders(refs, head)...)
	}
	for i, r := range out {
		out[i].Name = p.name + "." + strings.ReplaceAll(r.Package, "/", ".") + "." + r.Workspace
		out[i].Latest = r.Revision > 0 && !slices.ContainsFunc(out, func(o seen) bool { return o.Package == r.Package && o.Revision > r.Revision })
	}
	slices.SortFunc(out, bySeen)
	return out
}

func bySeen(a, b seen) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Commit, b.Commit))
}

// refs are branches and tags by their full names, tags peeled; what is no commit is left out.
func (p *porchReader) refs() map[string]string {
	p.Helper()
	out := map[string]string{}
	for line := range strings.Lines(gittest.Git(p, p.dir, "for-each-ref", "--format=%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)")) {
		f := strings.Fields(line)
		switch {
		case f[1] == "commit":
			out[f[0]] = f[2]
		case len(f) == 5 && f[3] == "commit":
			out[f[0]] = f[4]
		}
	}
	return out
}

func (p *porchReader) tagged(refs map[string]string, commit, at, last string) seen {
	r := seen{Package: p.relative(at), Workspace: last, Revision: -1, Commit: commit}
	doomed := last
	if n, err := strconv.Atoi(strings.TrimPrefix(last, "v")); err == nil && n >= 0 {
		r.Revision, r.Workspace = n, "v"+strconv.Itoa(n)
		doomed = r.Workspace
		if w := p.note(commit, at)["workspaceName"]; w != nil {
			r.Workspace = w.(string)
		}
	}
	r.By, r.At = p.author(commit)
	r.Lifecycle = published(refs, at+"/"+doomed)
	return r
}

func published(refs map[string]string, ref string) string {
	if refs["refs/heads/deletionProposed/"+ref] != "" {
		return "DeletionProposed"
	}
	return "Published"
}

// placeholders are the topmost packages of the main branch.
func (p *porchReader) placeholders(refs map[string]string, head string) (out []seen) {
	var dirs []string
	for file := range strings.Lines(p.files(head)) {
		if dir, base := splitLast(strings.TrimSpace(file)); base == "Kptfile" {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		inside := slices.ContainsFunc(dirs, func(o string) bool { return strings.HasPrefix(dir, o+"/") && p.relative(o) != "" })
		if inside || p.relative(dir) == "" {
			continue
		}
		r := seen{Package: p.relative(dir), Workspace: p.branch, Revision: -1, Commit: head, Lifecycle: published(refs, dir+"/"+p.branch), At: noTime}
		for commit := range strings.FieldsSeq(gittest.Git(p, p.dir, "rev-list", "--topo-order", head)) {
			if p.note(commit, dir) != nil {
				r.By, r.At = p.author(commit)
				break
			}
		}
		out = append(out, r)
	}
	return out
}

// note is the first annotation of a commit that is about the package.
func (p *porchReader) note(commit, at string) map[string]any {
	for line := range strings.Lines(p.commit(commit)) {
		var note map[string]any
		if rest, ok := strings.CutPrefix(line, "kpt:"); ok && json.Unmarshal([]byte(rest), &note) == nil && note["package"] == at {
			return note
		}
	}
	return nil
}

// author is the email and the time that a commit's author line gives.
func (p *porchReader) author(commit string) (string, int64) {
	for line := range strings.Lines(p.commit(commit)) {
		if rest, ok := strings.CutPrefix(line, "author "); ok {
			_, rest, _ = strings.Cut(rest, "<")
			email, rest, _ := strings.Cut(rest, "> ")
			secs, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				p.Fatal(err)
			}
			return email, secs
		}
	}
	p.Fatalf("commit %s has no author", commit)
	return "", 0
}

func (p *porchReader) commit(id string) string {
	return cached(p.messages, id, func() string { return gittest.Git(p, p.dir, "cat-file", "commit", id) })
}

func (p *porchReader) files(commit string) string {
	return cached(p.listed, commit, func() string { return gittest.Git(p, p.dir, "ls-tree", "-r", "--name-only", commit) })
}

// cached calls read once for each commit.
func cached(memo map[string]string, id string, read func() string) string {
	if _, known := memo[id]; !known {
		memo[id] = read()
	}
	return memo[id]
}

// holds reports whether the commit has a package at a path that is below the repository's directory.
func (p *porchReader) holds(commit, at string) bool {
	return p.relative(at) != "" && strings.Contains("\n"+p.files(commit)+"\n", "\n"+at+"/Kptfile\n")
}

// relative is a path without the repository's directory, "" when it is not below that.
func (p *porchReader) relative(at string) string {
	if p.below == "" {
		return at
	}
	rest, _ := strings.CutPrefix(at, p.below+"/")
	if rest == at {
		return ""
	}
	return rest
}

func splitLast(s string) (dir, last string) {
	i := strings.LastIndexByte(s, '/')
	return s[:max(i, 0)], s[i+1:]
}

// noTime is the time of a revision that is not published.
var noTime = revision.Revision{}.PublishedAt.Unix()

// asPorch converts what a Store lists to what Porch sees.
func asPorch(revs []revision.Revision) []seen {
	var out []seen
	for _, r := range revs {
		s := seen{Name: r.Name, Package: r.Package, Workspace: r.Workspace, Revision: r.Revision, Lifecycle: string(r.Lifecycle),
			Latest: r.Latest, Commit: r.Commit.String(), By: r.PublishedBy, At: r.PublishedAt.Unix()}
		if r.Revision == 0 {
			s.At = 0
		}
		out = append(out, s)
	}
	slices.SortFunc(out, bySeen)
	return out
}
