package storetest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Repository is the name of the Repository object of an Env, and Directory the root of its packages.
const (
	Repository = "edge"
	Directory  = "fleet/packages"
)

// Env is a repository whose main branch holds no package yet, and how people work on it.
type Env struct {
	// Open opens the repository for another client.
	Open func(t *testing.T) snapshot.Store
	// Propose, Approve and Edit are what people do: the last one changes a file of a draft. They return when clients can see it.
	Propose func(t *testing.T, rev revision.Revision)
	Approve func(t *testing.T, rev revision.Revision)
	Edit    func(t *testing.T, rev revision.Revision, file, text string)
}

// Run runs the suite.
func Run(t *testing.T, env Env) {
	for name, duty := range map[string]func(*suite){
		"drafts": (*suite).drafts, "refusals": (*suite).refusals, "updates": (*suite).updates, "edits": (*suite).edits,
		"publishing": (*suite).publishing, "deletion": (*suite).deletion, "dry run": (*suite).dryRun, "race": (*suite).race,
		"moved": (*suite).moved,
	} {
		t.Run(name, func(t *testing.T) {
			duty(&suite{T: t, Env: env, store: env.Open(t)})
		})
	}
}

// suite is one subtest, and its client.
type suite struct {
	*testing.T
	Env
	store snapshot.Store
}

// owner is who makes the drafts of the suite.
var owner = revision.Owner{Kind: porchconfig.KindPackageVariant, Namespace: "default", Name: "edge-01"}

// content is a small package whose content depends on text, laid out as every writer of YAML would.
func (s *suite) content(text string) pkgtree.Tree {
	s.Helper()
	tree, err := pkgtree.New(map[string][]byte{
		"Kptfile":      []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"),
		"conf/cm.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  text: " + text + "\n"),
		"notes.txt":    []byte("about " + text + "\n"),
	})
	s.check("make content", err)
	return tree
}

func (s *suite) check(doing string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", doing, err)
	}
}

// request asks for a draft.
func (s *suite) request(pkg, workspace, text string) revision.DraftRequest {
	s.Helper()
	return revision.DraftRequest{Package: pkg, Workspace: workspace, Content: s.content(text), Owner: owner,
		Task:     porch.Task{Type: porch.TaskInit, Init: &porch.InitTask{Description: "a package"}},
		Trailers: revision.Trailers{{Key: revision.TrailerRepository, Value: Repository}, {Key: revision.TrailerSet, Value: "default/edge"}}}
}

// create makes a draft of the text "one" in the workspace w1.
func (s *suite) create(pkg string) revision.Revision {
	s.Helper()
	rev, err := s.store.CreateDraft(s.Context(), s.request(pkg, "w1", "one"))
	s.check("create draft", err)
	return rev
}

// publish approves a draft, and returns it as the Store has it then.
func (s *suite) publish(rev revision.Revision) revision.Revision {
	s.Helper()
	s.Propose(s.T, rev)
	s.Approve(s.T, rev)
	return s.fresh(rev)
}

// fresh is a revision after a refresh.
func (s *suite) fresh(rev revision.Revision) revision.Revision {
	s.Helper()
	s.check("refresh", s.store.Refresh(s.Context()))
	found, ok := s.find(s.store, rev)
	if !ok {
		s.Fatalf("%s is not listed", rev.Name)
	}
	return found
}

// find finds a revision by its package and workspace.
func (s *suite) find(in snapshot.Store, rev revision.Revision) (revision.Revision, bool) {
	s.Helper()
	revs, err := in.List()
	s.check("list", err)
	i := slices.IndexFunc(revs, func(r revision.Revision) bool { return r.Package == rev.Package && r.Workspace == rev.Workspace })
	if i < 0 {
		return revision.Revision{}, false
	}
	return revs[i], true
}

// holds checks the files of a revision.
func (s *suite) holds(rev revision.Revision, want pkgtree.Tree) {
	s.Helper()
	got, err := s.store.Content(rev)
	s.check("read "+rev.Name, err)
	if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
		s.Errorf("%s holds other files (-want +got):\n%s", rev.Name, diff)
	}
}

func texts(tree pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range maps.Collect(tree.All()) {
		out[p] = string(b.Data())
	}
	return out
}

// wantStale checks that a write found that another client was first.
func (s *suite) wantStale(doing string, err error) {
	s.Helper()
	var stale *gitrepo.StaleError
	if !errors.As(err, &stale) {
		s.Errorf("%s: want a *gitrepo.StaleError, got %v", doing, err)
	}
}

// wantRefused checks that a rule forbids a write.
func (s *suite) wantRefused(doing string, err error, exists bool) {
	s.Helper()
	var refused *revision.RefusedError
	if !errors.As(err, &refused) || refused.Exists != exists {
		s.Errorf("%s: want a *revision.RefusedError with Exists %v, got %v", doing, exists, err)
	}
}
