package upstream_test

import (
	"context"
	"crypto/sha1"
	"fmt"
	"path"
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// memorySource is a Source in memory: files by ref, under repo/directory. A commit's id is the digest of its ref.
type memorySource map[string]map[string]string

func (s memorySource) Fetch(_ context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	ref := from.Ref
	if ref == "" {
		ref = "main"
	}
	return s.take(from.Repo, from.Directory, ref)
}

func (s memorySource) FetchLocked(_ context.Context, lock kptfilev1.GitLock) (*gitrepo.Fetched, error) {
	for ref := range s {
		if commitOf(ref).String() == lock.Commit {
			return s.take(lock.Repo, lock.Directory, ref)
		}
	}
	return nil, &gitrepo.GoneError{URL: lock.Repo, Ref: lock.Ref}
}

func (s memorySource) take(repo, dir, ref string) (*gitrepo.Fetched, error) {
	files, ok := s[ref]
	if !ok {
		return nil, &gitrepo.RefError{URL: repo, Name: ref}
	}
	found := map[string][]byte{}
	for p, text := range files {
		if rest, ok := strings.CutPrefix(p, path.Join(repo, dir)+"/"); ok {
			found[rest] = []byte(text)
		}
	}
	if len(found) == 0 {
		return nil, &gitrepo.DirError{Commit: commitOf(ref), Dir: dir}
	}
	tree, err := pkgtree.New(found)
	return &gitrepo.Fetched{Resolved: gitrepo.Resolved{Ref: ref, Commit: commitOf(ref)}, Tree: tree}, err
}

func commitOf(ref string) gitrepo.Hash { return sha1.Sum([]byte(ref)) }

// shelfOf reads refs from a txtar archive: a file ref:repo/dir/file.
func shelfOf(t testing.TB, text string) memorySource {
	t.Helper()
	s := memorySource{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		ref, file, ok := strings.Cut(f.Name, ":")
		if !ok {
			t.Fatalf("%s names no ref", f.Name)
		}
		if s[ref] == nil {
			s[ref] = map[string]string{}
		}
		s[ref][file] = string(f.Data)
	}
	return s
}

// textOf is a tree as a txtar archive.
func textOf(tree pkgtree.Tree) string {
	var a txtar.Archive
	for p, b := range tree.All() {
		a.Files = append(a.Files, txtar.File{Name: p, Data: b.Data()})
	}
	return string(txtar.Format(&a))
}

// kptfileText is a Kptfile with an upstream; ref "" is none, commit "" no lock.
func kptfileText(name, repo, dir, ref, locked string) string {
	text := fmt.Sprintf("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: %s\n", name)
	if ref != "" {
		text += fmt.Sprintf("upstream:\n  type: git\n  git:\n    repo: %s\n    directory: %s\n    ref: %s\n  updateStrategy: resource-merge\n", repo, dir, ref)
	}
	if locked != "" {
		text += fmt.Sprintf("upstreamLock:\n  type: git\n  git:\n    repo: %s\n    directory: %s\n    ref: %s\n    commit: %s\n", repo, dir, locked, commitOf(locked))
	}
	return text
}

// anyRepo has the same under whatever name.
type anyRepo struct{ memorySource }

func (a anyRepo) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	from.Repo = "repo"
	return a.memorySource.Fetch(ctx, from)
}

// programs has run.sh as a program.
type programs struct{ memorySource }

func (p programs) Fetch(ctx context.Context, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	f, err := p.memorySource.Fetch(ctx, from)
	if err == nil && f.Tree.Blob("run.sh") != nil {
		f.Executable = []string{"run.sh"}
	}
	return f, err
}
