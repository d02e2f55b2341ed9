package porchstore_test

import (
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot/storetest"
)

// TestRestore: Porch forgets a draft, as when it sees a part of the branches, and finds it again without metadata. The store that made
// it gives the metadata back when it has written nothing for a while, whether or not it noticed meanwhile; a store that did not know the
// draft changes nothing.
func TestRestore(t *testing.T) {
	f := start(t)
	for pkg, tc := range map[string]struct{ quiet, noticed bool }{
		"noticed": {true, true}, "unnoticed": {true, false}, "noticed-soon": {false, true}, "unnoticed-soon": {false, false},
	} {
		t.Run(pkg, func(t *testing.T) {
			s, now := f.openAt(t)
			made := f.draft(t, s, pkg)
			if tc.quiet {
				now.pass()
				listed(t, s)
			}
			f.forget(t, made, func() {
				if tc.noticed && (listed(t, s)[made.Name].Name == "") != tc.quiet {
					t.Errorf("the store believes that a revision is gone, if it wrote nothing for a while: %v", tc.quiet)
				}
			})
			if now := listed(t, f.open(t))[made.Name]; now.Owner != (revision.Owner{}) {
				t.Fatalf("Porch is expected to lose the owner; another store has %+v", now)
			}
			if soon := listed(t, s)[made.Name]; soon.Owner != made.Owner || !tc.quiet && soon.Target != made.Target {
				t.Errorf("the store knows the owner, and writes nothing before a pause: %+v", soon)
			}
			now.pass()
			f.isRestored(t, s, made)
		})
	}
}

// TestPutBack: a list of Porch puts metadata back that it read just before this store wrote other metadata.
func TestPutBack(t *testing.T) {
	f := start(t)
	s, now := f.openAt(t)
	made := f.draft(t, s, "put-back")
	bare := f.stored(t, made)
	bare.SetLabels(map[string]string{"internal.porch.kpt.dev/repository": storetest.Repository})
	bare.SetAnnotations(nil)
	f.putBack(t, bare)
	if seen := listed(t, s)[made.Name]; seen.Owner != made.Owner || seen.Target != made.Target {
		t.Errorf("the store knows the owner, and writes nothing before a pause: %+v", seen)
	}
	now.pass()
	f.isRestored(t, s, made)

	adopted := f.stored(t, made)
	heir := revision.Owner{Kind: made.Owner.Kind, Namespace: made.Owner.Namespace, Name: "heir"}
	by := revision.Update{Content: f.content(t), Owner: heir, Adopts: true}
	made, err := s.UpdateDraft(t.Context(), listed(t, s)[made.Name], by)
	if err != nil || made.Owner != heir {
		t.Fatalf("want the heir's, got %+v, %v", made, err)
	}
	f.putBack(t, adopted)
	if other := listed(t, f.open(t))[made.Name]; other.Owner == heir {
		t.Fatal("the former owner is expected to be back")
	}
	now.pass()
	f.isRestored(t, s, made)
}

// TestRestoreEdited: a person changes a draft whose metadata Porch lost. It is its owner's, and edited.
func TestRestoreEdited(t *testing.T) {
	f := start(t, readSeldom)
	s, now := f.openAt(t)
	made := f.draft(t, s, "edited")
	bare := f.stored(t, made)
	bare.SetLabels(map[string]string{"internal.porch.kpt.dev/repository": storetest.Repository})
	bare.SetAnnotations(nil)
	f.putBack(t, bare)
	f.edit(t, made, "notes.txt", "by a person\n")
	if other := listed(t, f.open(t))[made.Name]; other.Owner != (revision.Owner{}) {
		t.Fatalf("Porch is expected to lose the owner; another store has %+v", other)
	}
	if seen := listed(t, s)[made.Name]; seen.Owner != made.Owner || !seen.Foreign {
		t.Errorf("the draft is its owner's, and edited by others: %+v", seen)
	}
	now.pass()
	listed(t, s)
	if other := listed(t, f.open(t))[made.Name]; other.Owner != made.Owner || !other.Foreign {
		t.Errorf("the draft is its owner's, and edited by others, for other clients, too: %+v", other)
	}
}

// TestRestoreWithNextWrite: the next write of a revision restores the metadata that Porch lost, without a further commit.
func TestRestoreWithNextWrite(t *testing.T) {
	f := start(t)
	s, _ := f.openAt(t)
	made := f.draft(t, s, "rewritten")
	f.forget(t, made, func() {})
	known := listed(t, s)[made.Name]
	content, err := f.content(t).Apply(map[string][]byte{"notes.txt": []byte("more\n")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.UpdateDraft(t.Context(), known, revision.Update{Content: content, Owner: made.Owner, Trailers: made.Trailers}); err != nil {
		t.Fatal(err)
	}
	other, object := listed(t, f.open(t))[made.Name], f.Await(t, "default", made.Name, "Draft").Object
	if other.Owner != made.Owner || other.Foreign || object.GetLabels()["team"] != "ran" {
		t.Errorf("the metadata is there again: %+v, labels %v", other, object.GetLabels())
	}
}

// isRestored wants the metadata of a draft to be as it was made, for every client, and to be written once. An heir without labels keeps
// those that are there.
func (f *fixture) isRestored(t *testing.T, s *porchstore.Store, made revision.Revision) {
	t.Helper()
	restored := listed(t, s)[made.Name]
	for _, now := range []revision.Revision{restored, listed(t, f.open(t))[made.Name], listed(t, s)[made.Name]} {
		if now.Owner != made.Owner || now.Foreign || now.Trailers.Get(revision.TrailerSet) != made.Trailers.Get(revision.TrailerSet) {
			t.Errorf("the draft is not as it was made: %+v", now)
		}
		if now.Target != restored.Target {
			t.Errorf("what was restored is written again: %+v", now)
		}
	}
	after := f.Await(t, "default", made.Name, "Draft").Object
	if diff := cmp.Diff(map[string]string{"team": "ran"}, after.GetLabels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	notes := slices.Sorted(maps.Keys(after.GetAnnotations()))
	if diff := cmp.Diff([]string{porchstore.ContentAnnotation, porchstore.TrailersAnnotation}, notes); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

// stored is the object in which Porch keeps the metadata of a revision.
func (f *fixture) stored(t *testing.T, rev revision.Revision) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	o.SetAPIVersion("config.porch.kpt.dev/v1alpha1")
	o.SetKind("PackageRev")
	if err := f.Client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: rev.Name}, o); err != nil {
		t.Fatal(err)
	}
	return o
}

// putBack stores metadata of a revision as Porch's list does. Another list may do so at the same time.
func (f *fixture) putBack(t *testing.T, was *unstructured.Unstructured) {
	t.Helper()
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		o := f.stored(t, revision.Revision{Name: was.GetName()})
		o.SetLabels(was.GetLabels())
		o.SetAnnotations(was.GetAnnotations())
		o.SetOwnerReferences(was.GetOwnerReferences())
		return f.Client.Update(t.Context(), o)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clock is a clock that a test moves.
type clock struct{ now atomic.Int64 }

func (c *clock) time() time.Time { return time.Unix(c.now.Load(), 0) }

// pass lets a minute pass, after which a repository is quiet.
func (c *clock) pass() { c.now.Add(60) }

// openAt opens a store with a clock of its own.
func (f *fixture) openAt(t *testing.T) (*porchstore.Store, *clock) {
	t.Helper()
	c := &clock{}
	c.now.Store(1_000_000)
	_, s, err := porchstore.Open(t.Context(), f.object, porchstore.Options{Client: f.client, Objects: f.client, Now: c.time})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// content is a package of one file.
func (f *fixture) content(t *testing.T) pkgtree.Tree {
	t.Helper()
	content, err := pkgtree.New(map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n")})
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func (f *fixture) draft(t *testing.T, s *porchstore.Store, pkg string) revision.Revision {
	t.Helper()
	rev, err := s.CreateDraft(t.Context(), f.request(t, pkg))
	if err != nil {
		t.Fatal(err)
	}
	return rev
}

// request asks for a draft of a package.
func (f *fixture) request(t *testing.T, pkg string) revision.DraftRequest {
	t.Helper()
	return revision.DraftRequest{Package: pkg, Workspace: "w1", Content: f.content(t),
		Owner: revision.Owner{Kind: "PackageVariant", Namespace: "default", Name: pkg}, Labels: map[string]string{"team": "ran"},
		Trailers: revision.Trailers{{Key: revision.TrailerSet, Value: "default/edge"}},
		Task:     porch.Task{Type: porch.TaskInit, Init: &porch.InitTask{Description: "a package"}}}
}

// forget has Porch see the repository without a draft, and later with it again.
func (f *fixture) forget(t *testing.T, rev revision.Revision, meanwhile func()) {
	t.Helper()
	ref := "refs/heads/drafts/" + storetest.Directory + "/" + rev.Package + "/w1"
	commit := gittest.Git(t, f.dir, "rev-parse", ref)
	gittest.Git(t, f.dir, "update-ref", "-d", ref)
	f.AwaitGone(t, "default", rev.Name)
	meanwhile()
	gittest.Git(t, f.dir, "update-ref", ref, commit)
	f.Await(t, "default", rev.Name, "Draft")
}

// listed is what a store lists after a Refresh, by name.
func listed(t *testing.T, s *porchstore.Store) map[string]revision.Revision {
	t.Helper()
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	revs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]revision.Revision{}
	for _, rev := range revs {
		byName[rev.Name] = rev
	}
	return byName
}
