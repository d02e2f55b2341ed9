package porchstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// memory is a Porch without a server: it keeps the objects that a test gives it, and what a Store writes.
type memory struct {
	client.Client
	mu       sync.Mutex
	version  int
	objects  map[string]*porch.PackageRevision
	files    map[string]map[string]string
	reads    map[string]int                // of the files, by name
	stale    []porch.PackageRevision       // what the next lists show in place of the objects
	renders  bool                          // updates add a file
	onCreate func()                        // is called when an object was created
	fail     func(verb, name string) error // fails a request, if set
}

func (m *memory) failure(verb, name string) error {
	if m.fail == nil {
		return nil
	}
	return m.fail(verb, name)
}

func notFound(name string) error {
	return apierrors.NewNotFound(schema.GroupResource{Resource: "packagerevisions"}, name)
}

func (m *memory) next() string {
	m.version++
	return fmt.Sprint(m.version)
}

// put puts an object there, as other clients do.
func (m *memory) put(o porch.PackageRevision, files map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o.Namespace, o.ResourceVersion = "default", m.next()
	m.objects[o.Name], m.files[o.Name] = &o, files
}

func (m *memory) drop(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, name)
}

func (m *memory) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.objects[key.Name]
	if o == nil {
		return notFound(key.Name)
	}
	switch into := into.(type) {
	case *porch.PackageRevision:
		o.DeepCopyInto(into)
	case *porch.PackageRevisionResources:
		m.reads[key.Name]++
		if err := m.failure("read", key.Name); err != nil {
			return err
		}
		into.ObjectMeta, into.Spec.Resources = o.ObjectMeta, maps.Clone(m.files[key.Name])
	default:
		return notFound(key.Name)
	}
	return nil
}

func (m *memory) List(_ context.Context, into client.ObjectList, _ ...client.ListOption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := into.(*porch.PackageRevisionList)
	for _, name := range slices.Sorted(maps.Keys(m.objects)) {
		list.Items = append(list.Items, *m.objects[name].DeepCopy())
	}
	if m.stale != nil {
		list.Items = slices.Clone(m.stale)
	}
	return nil
}

func (m *memory) Create(_ context.Context, o client.Object, _ ...client.CreateOption) error {
	rev := o.(*porch.PackageRevision)
	rev.Name = revision.ObjectName(rev.Spec.Repository, rev.Spec.PackageName, rev.Spec.WorkspaceName)
	m.put(*rev, map[string]string{"Kptfile": "kind: Kptfile\n"})
	m.mu.Lock()
	m.objects[rev.Name].DeepCopyInto(rev)
	m.mu.Unlock()
	if m.onCreate != nil {
		m.onCreate()
	}
	return nil
}

func (m *memory) Update(_ context.Context, o client.Object, _ ...client.UpdateOption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	res := o.(*porch.PackageRevisionResources)
	if err := m.failure("update", res.Name); err != nil {
		return err
	}
	res.ResourceVersion = m.next()
	if m.renders {
		res.Spec.Resources["rendered.txt"] = ""
	}
	m.objects[res.Name].ResourceVersion, m.files[res.Name] = res.ResourceVersion, maps.Clone(res.Spec.Resources)
	return nil
}

func (m *memory) Patch(_ context.Context, o client.Object, patch client.Patch, _ ...client.PatchOption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := m.failure("patch", o.GetName())
	data, bad := patch.Data(o)
	if err = errors.Join(err, bad); err != nil {
		return err
	}
	rev := o.(*porch.PackageRevision)
	if err := json.Unmarshal(data, rev); err != nil { // a merge, as far as tests need it
		return err
	}
	rev.ResourceVersion = m.next()
	m.objects[rev.Name] = rev.DeepCopy()
	return nil
}

func (m *memory) Delete(_ context.Context, o client.Object, _ ...client.DeleteOption) error {
	m.drop(o.GetName())
	return nil
}

// inMemory is a Store before a Porch in memory that has one published revision, without an owner.
func inMemory(t *testing.T) (*porchstore.Store, *memory, *clock) {
	t.Helper()
	m := &memory{objects: map[string]*porch.PackageRevision{}, files: map[string]map[string]string{}, reads: map[string]int{}}
	m.put(object("base", "v1", porch.Published), map[string]string{"Kptfile": "kind: Kptfile\n"})
	of := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "fleet"},
		Spec: porchconfig.RepositorySpec{Type: porchconfig.RepositoryTypeGit,
			Git: &porchconfig.GitRepository{Repo: "https://git.example.com/fleet.git", Branch: "main"}}}
	now := &clock{}
	now.now.Store(1_000_000)
	_, s, err := porchstore.Open(t.Context(), of, porchstore.Options{Client: m, Objects: m, Now: now.time})
	if err != nil {
		t.Fatal(err)
	}
	return s, m, now
}

func object(pkg, workspace string, is porch.Lifecycle) porch.PackageRevision {
	o := porch.PackageRevision{ObjectMeta: metav1.ObjectMeta{Name: revision.ObjectName("fleet", pkg, workspace)},
		Spec: porch.PackageRevisionSpec{Repository: "fleet", PackageName: pkg, WorkspaceName: workspace, Lifecycle: is}}
	if is == porch.Published {
		o.Spec.Revision = 1
	}
	return o
}

// owned is an object that a variant owns, made with a digest that no content has.
func owned(pkg, workspace string, is porch.Lifecycle) porch.PackageRevision {
	o := object(pkg, workspace, is)
	o.Annotations = map[string]string{porchstore.ContentAnnotation: "0",
		porchstore.TrailersAnnotation: revision.FormatTrailers(revision.Owner{Kind: "PackageVariant", Namespace: "default", Name: pkg}, nil)}
	return o
}

func draftIn(t *testing.T, s *porchstore.Store, pkg string) revision.Revision {
	t.Helper()
	f := &fixture{}
	rev, err := s.CreateDraft(t.Context(), f.request(t, pkg))
	if err != nil {
		t.Fatal(err)
	}
	return rev
}

// TestReserved: the name of a draft with edits, and of a proposal, is not free when Porch lists it no more. That of a draft without
// edits is, and so is every name that is listed.
func TestReserved(t *testing.T) {
	s, m, now := inMemory(t)
	draftIn(t, s, "web")
	m.put(owned("web", "edited", porch.Draft), map[string]string{"Kptfile": "kind: Kptfile\n"})
	m.put(owned("web", "proposed", porch.Proposed), nil)
	m.put(owned("web", "deletion", porch.DeletionProposed), nil)
	m.put(owned("other", "edited", porch.Draft), nil)
	m.put(object("web", "theirs", porch.Draft), nil)
	now.pass()
	listed(t, s)
	if names := s.Reserved("web"); len(names) > 0 {
		t.Errorf("%v are reserved though all are listed", names)
	}
	for name := range listed(t, s) {
		m.drop(name)
	}
	m.put(object("base", "v1", porch.Published), nil)
	listed(t, s)
	names := s.Reserved("web")
	if slices.Sort(names); !slices.Equal(names, []string{"edited", "proposed", "theirs"}) {
		t.Errorf("want what others wrote or wait for, got %v", names)
	}
	m.put(owned("web", "edited", porch.Draft), nil)
	listed(t, s)
	if names := s.Reserved("web"); len(names) != 2 || slices.Contains(names, "edited") {
		t.Errorf("Porch lists a draft again, and %v are reserved", names)
	}
}

// TestForgotten: no draft is made of a package of which Porch lists a published revision no more, unless its deletion was proposed.
func TestForgotten(t *testing.T) {
	proposed := object("web", "v1", porch.DeletionProposed)
	for name, tc := range map[string]struct {
		is      porch.Lifecycle
		event   *porch.PackageRevision
		late    bool // the event comes after the revision is known to be gone
		refuses bool
	}{
		"published":               {porch.Published, nil, false, true},
		"proposed for deletion":   {porch.DeletionProposed, nil, false, false},
		"proposed since the read": {porch.Published, &proposed, false, false},
		"the event is late":       {porch.Published, &proposed, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, m, now := inMemory(t)
			o := object("web", "v1", tc.is)
			o.Spec.Revision = 1
			m.put(o, nil)
			listed(t, s)
			if tc.event != nil && !tc.late {
				s.Observe(tc.event, true)
			}
			m.drop(o.Name)
			now.pass()
			listed(t, s)
			if tc.late {
				s.Observe(tc.event, true)
			}
			req := (&fixture{}).request(t, "web")
			_, err := s.CreateDraft(t.Context(), req)
			refused, is := errors.AsType[*revision.RefusedError](err)
			if is != tc.refuses || is && (refused.Exists || !strings.Contains(err.Error(), "no longer lists fleet.web.v1")) {
				t.Errorf("refuses: %v, got %v", tc.refuses, err)
			}
			if is {
				m.put(o, nil)
				listed(t, s)
				if _, err := s.CreateDraft(t.Context(), req); err != nil {
					t.Errorf("Porch lists it again: %v", err)
				}
			}
		})
	}
}

// TestListBeforeDelete: a list that Porch read before this store deleted a draft does not bring it back.
func TestListBeforeDelete(t *testing.T) {
	s, m, now := inMemory(t)
	made := draftIn(t, s, "web")
	m.stale = []porch.PackageRevision{*m.objects["fleet.base.v1"].DeepCopy(), *m.objects[made.Name].DeepCopy()}
	if err := s.Delete(t.Context(), made, revision.Stamp{}); err != nil {
		t.Fatal(err)
	}
	old := m.stale[1]
	if s.Observe(&old, false) || listed(t, s)[made.Name].Name != "" {
		t.Error("what this store deleted is there again")
	}
	again := draftIn(t, s, "web")
	if seen := listed(t, s)[made.Name]; seen.Target != again.Target {
		t.Errorf("want the new draft, got %+v", seen)
	}
	m.stale = nil
	now.pass()
	if seen := listed(t, s)[made.Name]; seen.Target != again.Target || s.Outdated() {
		t.Errorf("want the new draft and nothing to read, got %+v", seen)
	}
}

// TestDeletedByOthers: a revision that another client deleted is gone with the next read, also after this store failed to change it.
func TestDeletedByOthers(t *testing.T) {
	s, m, now := inMemory(t)
	made := draftIn(t, s, "web")
	now.pass()
	listed(t, s)
	m.drop(made.Name)
	var stale *gitrepo.StaleError
	if err := s.Delete(t.Context(), made, revision.Stamp{}); !errors.As(err, &stale) {
		t.Errorf("want that it changed, got %v", err)
	}
	if seen := listed(t, s)[made.Name]; seen.Name != "" {
		t.Errorf("what another client deleted is listed: %+v", seen)
	}
}

// TestFailedDraft: a draft whose content Porch refuses, or whose metadata, is deleted, and not listed.
func TestFailedDraft(t *testing.T) {
	for _, verb := range []string{"update", "patch"} {
		s, m, _ := inMemory(t)
		m.renders, m.fail = true, func(v, _ string) error {
			if v != verb {
				return nil
			}
			return apierrors.NewInternalError(errors.New("it does not render"))
		}
		if _, err := s.CreateDraft(t.Context(), (&fixture{}).request(t, "web")); err == nil || !strings.Contains(err.Error(), "render") {
			t.Errorf("%s: want why, got %v", verb, err)
		}
		if len(m.objects) != 1 || len(listed(t, s)) != 1 {
			t.Errorf("%s: the draft is there: %v", verb, slices.Collect(maps.Keys(listed(t, s))))
		}
		m.renders, m.fail = false, nil
		draftIn(t, s, "web")
	}
}

// TestBelievedWhileWriting: Porch shows a part of a repository while this store writes to it, however long that takes.
func TestBelievedWhileWriting(t *testing.T) {
	s, m, now := inMemory(t)
	made := draftIn(t, s, "one")
	now.pass()
	listed(t, s)
	o := m.objects[made.Name]
	m.onCreate = func() {
		now.pass() // it took a minute
		m.drop(made.Name)
		if s.Observe(o, true) {
			t.Error("a revision is believed to be gone while the store writes")
		}
	}
	draftIn(t, s, "two")
	if seen := listed(t, s)[made.Name]; seen.Name == "" {
		t.Error("a revision is believed to be gone right after a write")
	}
	now.pass()
	if seen := listed(t, s)[made.Name]; seen.Name != "" {
		t.Error("a revision that is gone after a pause is listed")
	}
}

// TestFilesInMemory: files of a revision that has a successor do not stay in memory, and others do.
func TestFilesInMemory(t *testing.T) {
	s, m, now := inMemory(t)
	m.put(owned("web", "v1", porch.Published), map[string]string{"Kptfile": "kind: Kptfile\n"})
	first := listed(t, s)["fleet.web.v1"]
	second := owned("web", "v2", porch.Published)
	second.Spec.Revision = 2
	m.put(second, map[string]string{"Kptfile": "kind: Kptfile\n"})
	now.pass()
	listed(t, s)
	for _, rev := range []revision.Revision{first, listed(t, s)[second.Name]} {
		if _, err := s.Content(rev); err != nil {
			t.Fatal(err)
		}
	}
	if want := map[string]int{first.Name: 2, second.Name: 1}; !maps.Equal(m.reads, want) {
		t.Errorf("the files were read %v times, want %v", m.reads, want)
	}
}

// TestUnreadFiles: a draft whose files Porch cannot show holds up no other revision. The store cannot know whether it has edits, so
// it counts as edited until its files were read, which is tried again after a pause.
func TestUnreadFiles(t *testing.T) {
	s, m, now := inMemory(t)
	good, bad := draftIn(t, s, "good"), draftIn(t, s, "bad")
	m.objects[bad.Name].ResourceVersion = m.next()
	m.fail = func(verb, name string) error {
		if verb == "read" && name == bad.Name {
			return apierrors.NewInternalError(errors.New("the commit is missing"))
		}
		return nil
	}
	now.pass()
	seen := listed(t, s)
	if seen[good.Name].Foreign || !seen[bad.Name].Foreign {
		t.Errorf("want edits in the draft that cannot be read alone: %+v", seen)
	}
	if _, err := s.Content(seen[bad.Name]); err == nil || !strings.Contains(err.Error(), `"bad", workspace "w1"`) {
		t.Errorf("want which one cannot be read, got %v", err)
	}
	if s.Outdated() {
		t.Error("the files are read again and again")
	}
	m.fail = nil
	now.pass()
	if !s.Outdated() || listed(t, s)[bad.Name].Foreign || s.Outdated() {
		t.Error("want the files to be read again, once")
	}
}

// TestEditsNotReadYet: an edit that was seen, and whose files were not read yet, is no content of Waybill: an update keeps it known.
func TestEditsNotReadYet(t *testing.T) {
	s, m, now := inMemory(t)
	made := draftIn(t, s, "web")
	now.pass()
	listed(t, s)
	edited := *m.objects[made.Name].DeepCopy()
	m.put(edited, map[string]string{"Kptfile": "kind: Kptfile\n", "notes.txt": "by a person\n"})
	m.fail = func(verb, _ string) error {
		if verb == "read" {
			return errors.New("the connection is lost")
		}
		return nil
	}
	if err := s.Refresh(t.Context()); err == nil {
		t.Fatal("want an error")
	}
	m.fail = nil
	seen, _ := s.List()
	i := slices.IndexFunc(seen, func(rev revision.Revision) bool { return rev.Name == made.Name })
	if !seen[i].Foreign {
		t.Errorf("want edits until it is known that there are none: %+v", seen[i])
	}
	was := seen[i]
	was.Foreign = false // as a list said before
	content, err := (&fixture{}).content(t).Apply(map[string][]byte{"more.txt": []byte("more\n")})
	if err != nil {
		t.Fatal(err)
	}
	updated, err := s.UpdateDraft(t.Context(), was, revision.Update{Content: content, Owner: made.Owner, Trailers: made.Trailers})
	if err != nil || !updated.Foreign {
		t.Errorf("want that others edited it, got %+v, %v", updated, err)
	}
}
