package local_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// git runs git in the downstream repository.
func (f *fleet) git(args ...string) string {
	f.Helper()
	return gittest.Git(f, f.path("deployments.git"), args...)
}

// names are the branches and tags downstream, but for main.
func (f *fleet) names() []string {
	f.Helper()
	var out []string
	for _, name := range strings.Fields(f.git("for-each-ref", "--format=%(refname)")) {
		if name != "refs/heads/main" {
			out = append(out, strings.TrimPrefix(name, "refs/"))
		}
	}
	return out
}

// show is a file of a downstream branch or tag.
func (f *fleet) show(ref, file string) string {
	f.Helper()
	return f.git("show", ref+":"+file) + "\n"
}

// files are all files of the package at dir.
func (f *fleet) files(ref, dir string) map[string]string {
	f.Helper()
	out := map[string]string{}
	for _, file := range strings.Fields(f.git("ls-tree", "-r", "--name-only", ref+":"+dir)) {
		out[file] = f.show(ref, dir+"/"+file)
	}
	return out
}

// store opens the downstream repository as another user would.
func (f *fleet) store() *revision.Store { return f.storeOf("deployments") }

// storeOf opens the repository of a name as another user would.
func (f *fleet) storeOf(name string) *revision.Store {
	f.Helper()
	repo, err := gitrepo.Open(ctx, f.path(name+".git"), gitrepo.Options{})
	if err != nil {
		f.Fatal(err)
	}
	s, err := revision.New(repo, revision.Config{Name: name})
	if err != nil {
		f.Fatal(err)
	}
	return s
}

// revision finds one by its object name.
func (f *fleet) revision(s *revision.Store, name string) revision.Revision {
	f.Helper()
	revs, err := s.List()
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range revs {
		if r.Name == name {
			return r
		}
	}
	f.Fatalf("there is no revision %q", name)
	panic("unreachable")
}

// publish takes drafts, by object name, through proposal and approval.
func (f *fleet) publish(names ...string) {
	f.Helper()
	s := f.store()
	for _, name := range names {
		rev, err := s.Propose(ctx, f.revision(s, name))
		if err == nil {
			_, err = s.Approve(ctx, rev, revision.Stamp{When: gittest.Epoch.Add(time.Hour)})
		}
		if err != nil {
			f.Fatal(err)
		}
	}
}

// published is a fleet whose first draft is published.
func published(t testing.TB) *fleet {
	t.Helper()
	f := newFleet(t)
	f.reconcile()
	f.publish("deployments.eu.shop.packagevariant-1")
	return f
}

// commit changes a downstream branch as a person with git would.
func (f *fleet) commit(branch string, files map[string]*string) {
	f.Helper()
	gittest.Commit(f, f.path("deployments.git"), gittest.Change{Branch: branch, Files: files, Message: "by hand\n", When: gittest.Epoch.Add(2 * time.Hour)})
}
