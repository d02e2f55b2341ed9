package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// object is a Repository object; packages is its annotation, "" for none.
func object(address, packages string) *porchconfig.Repository {
	obj := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Name: "reg", Namespace: "fleet"}}
	obj.Spec.Type, obj.Spec.OCI = porchconfig.RepositoryTypeOCI, &porchconfig.OCIRepository{Registry: address}
	if packages != "" {
		obj.Annotations = map[string]string{PackagesAnnotation: packages}
	}
	return obj
}

// content is a package whose file says text.
func content(t testing.TB, name, text string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.New(map[string][]byte{
		"Kptfile":   []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: " + name + "}\n"),
		"text.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: text}\ndata: {text: " + text + "}\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// push pushes a package with a text, over what is there.
func push(t testing.TB, url, text string, o oci.Options) (digest string) {
	t.Helper()
	ref, err := oci.ParseReference(url)
	if err != nil {
		t.Fatal(err)
	}
	a, err := oci.PackageArtifact(content(t, "web", text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.MoveTags = true
	c, err := oci.New(o)
	if err == nil {
		digest, err = c.Push(t.Context(), ref, a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// rows are the revisions of a store: name, number, latest, digest.
func rows(t testing.TB, s snapshot.Store) (out []string) {
	t.Helper()
	revs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range revs {
		out = append(out, fmt.Sprintf("%s %d %t %s", r.Name, r.Revision, r.Latest, r.Digest))
	}
	return out
}

func find(t testing.TB, s snapshot.Store, name string) revision.Revision {
	t.Helper()
	revs, err := s.List()
	i := slices.IndexFunc(revs, func(r revision.Revision) bool { return r.Name == name })
	if err != nil || i < 0 {
		t.Fatalf("no revision %s: %v", name, err)
	}
	return revs[i]
}

func wantText(t testing.TB, tree pkgtree.Tree, err error, text string) {
	t.Helper()
	if data, _ := tree.Get("text.yaml"); err != nil || !strings.Contains(string(data), "text: "+text) {
		t.Errorf("want the text %q, got %q, %v", text, data, err)
	}
}

func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("want an error with %q, got %v", part, err)
		}
	}
}

func open(t testing.TB, obj *porchconfig.Repository, o Options) *Store {
	t.Helper()
	if o.Client.Keychain == nil {
		o.Client.Keychain = oci.Anonymous()
	}
	repo, err := Open(t.Context(), obj, o)
	if err != nil {
		t.Fatal(err)
	}
	return repo.Store.(*Store)
}

// TestLife: packages, numbers, a new tag, a moved one, a deleted one, of a real registry.
func TestLife(t *testing.T) {
	server := ocitest.Registry(t)
	one := push(t, server.URL("base/web:v1"), "one", oci.Options{})
	push(t, server.URL("base/web:1.2.3"), "semver", oci.Options{})
	push(t, server.URL("base/web:v01"), "zero", oci.Options{})
	push(t, server.URL("base/web:sha256-"+strings.Repeat("0", 64)+".sig"), "signature", oci.Options{})
	nested := push(t, server.URL("base/eu/db:v3"), "nested", oci.Options{})
	push(t, server.URL("base/not_a.name:v1"), "other", oci.Options{})
	push(t, server.URL("elsewhere/web:v1"), "elsewhere", oci.Options{})
	s := open(t, object(server.Host+"/base", ""), Options{})
	if diff := cmp.Diff([]string{"reg.eu.db.v3 3 true " + nested, "reg.web.1.2.3 -1 false ", "reg.web.v01 -1 false ", "reg.web.v1 1 true " + one}, rows(t, s)); diff != "" {
		t.Errorf("numbered tags are revisions, others are shown, signatures and other folders are not (-want +got):\n%s", diff)
	}
	first := find(t, s, "reg.web.v1")
	want := revision.Lock{Repo: server.URL("base/web"), Ref: "v1", Commit: one}
	if got := s.Lock(first); got != want {
		t.Errorf("lock %+v, want %+v", got, want)
	}
	tree, err := s.Content(first)
	wantText(t, tree, err, "one")
	tree, err = s.Content(find(t, s, "reg.web.1.2.3"))
	wantText(t, tree, err, "semver")

	moved := push(t, server.URL("base/web:v1"), "moved", oci.Options{})
	two := push(t, server.URL("base/web:v2"), "two", oci.Options{})
	before, _ := s.List()
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := find(t, s, "reg.web.v1"); got.Digest != moved || got.Latest {
		t.Errorf("the tag was moved to %s, and is not the latest: %+v", moved, got)
	}
	if got := find(t, s, "reg.web.v2"); got.Digest != two || !got.Latest {
		t.Errorf("v2 is the latest: %+v", got)
	}
	after, _ := s.List()
	if c := snapshot.Changes(before, after); !c.Packages["web"] || c.Packages["eu/db"] {
		t.Errorf("web has changed, and no other package: %+v", c)
	}
	s.trees = trees{} // not from memory
	tree, err = s.At(want)
	wantText(t, tree, err, "one")
	if _, err := s.At(revision.Lock{Repo: server.URL("elsewhere/web"), Commit: one}); err == nil {
		t.Error("a lock of another folder is not this Repository's")
	}
	_, err = s.At(revision.Lock{Repo: server.URL("base/web"), Commit: "sha256:" + strings.Repeat("0", 64)})
	if !errors.Is(err, oci.ErrNotFound) {
		t.Errorf("a digest that the registry does not have: %v", err)
	}
}

// TestPasswords: each kind of Secret, and what is wrong with others.
func TestPasswords(t *testing.T) {
	server := ocitest.Registry(t, ocitest.WithLogin("jo", "p4ssw0rd"))
	obj := object("oci://"+server.Host+"/base", "")
	login := oci.Options{Keychain: oci.BasicAuth(server.Host, "jo", "p4ssw0rd")}
	push(t, server.URL("base/web:v1"), "one", login)
	for name, tc := range map[string]struct {
		data map[string][]byte
		want []string // of the error; nil for none
	}{
		"basic":   {data: map[string][]byte{"username": []byte("jo"), "password": []byte("p4ssw0rd")}},
		"docker":  {data: map[string][]byte{dockerConfigKey: []byte(`{"auths": {"https://` + server.Host + `/v2/": {"auth": "am86cDRzc3cwcmQ="}}}`)}},
		"fields":  {data: map[string][]byte{dockerConfigKey: []byte(`{"auths": {"` + server.Host + `": {"username": "jo", "password": "p4ssw0rd"}}}`)}},
		"wrong":   {data: map[string][]byte{"username": []byte("jo"), "password": []byte("s3cr3t")}, want: []string{"401"}},
		"another": {data: map[string][]byte{dockerConfigKey: []byte(`{"auths": {"ghcr.io": {"auth": "am86cDRzc3cwcmQ="}}}`)}, want: []string{`secret "login"`, "no credentials for registry " + server.Host}},
		"broken":  {data: map[string][]byte{dockerConfigKey: []byte(`p4ssw0rd`)}, want: []string{`secret "login"`, "no docker configuration"}},
		"empty":   {want: []string{`secret "login" holds neither .dockerconfigjson nor a password nor a bearerToken`}},
	} {
		t.Run(name, func(t *testing.T) {
			keys, err := Keychain(obj, "login", tc.data)
			if err == nil {
				_, err = Open(t.Context(), obj, Options{Client: oci.Options{Keychain: keys}})
			}
			if tc.want == nil && err != nil {
				t.Error(err)
			}
			wantError(t, err, tc.want...)
			if err != nil && (strings.Contains(err.Error(), "p4ssw0rd") || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("the error holds a password: %v", err)
			}
		})
	}
	_, err := Open(t.Context(), obj, Options{Client: oci.Options{Keychain: oci.Anonymous()}})
	wantError(t, err, "401")
}

// TestRefusedSecret: a registry that refuses the Secret's credentials gets an error that names the Secret.
func TestRefusedSecret(t *testing.T) {
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/tags/list") {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	})
	obj := object(server.Host+"/base", "web")
	obj.Spec.OCI.SecretRef.Name = "login"
	_, err := Open(t.Context(), obj, Options{})
	wantError(t, err, "403", `check the Secret "login"`)
}

// TestAddress: what objects may say, and what Docker Hub makes of it.
func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"ghcr.io/acme/packages": "ghcr.io acme/packages", "oci://ghcr.io/acme/": "ghcr.io acme", "localhost:5000": "localhost:5000 ",
		"docker.io/acme": "index.docker.io acme", "[::1]:5000/a": "[::1]:5000 a",
		"ghcr.io/Acme": `spec.oci.registry "ghcr.io/Acme": want HOST or HOST/PATH`, "ghcr.io/acme:v1": "without a tag or digest", "acme": "want HOST or HOST/PATH",
		"https://ghcr.io/acme": "want HOST or HOST/PATH", "jo:pw@ghcr.io/acme": "without credentials", "": "want HOST or HOST/PATH",
	} {
		at, err := Address(object(text, ""))
		got := at.Registry + " " + at.Repository
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) || strings.Contains(got, "pw") || strings.Contains(got, "/x\"") {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestNoCatalog: a registry that does not list its repositories, as ghcr.io, wants names; one that lists none is an error.
func TestNoCatalog(t *testing.T) {
	var status atomic.Int32
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if code := int(status.Load()); code != 0 && strings.HasSuffix(r.URL.Path, "_catalog") {
			w.WriteHeader(code)
			return true
		}
		return false
	})
	push(t, server.URL("base/web:v1"), "one", oci.Options{})
	push(t, server.URL("base/db:v1"), "one", oci.Options{})
	fails := func(obj *porchconfig.Repository, limits Limits, parts ...string) {
		t.Helper()
		_, err := Open(t.Context(), obj, Options{Client: oci.Options{Keychain: oci.Anonymous()}, Limits: limits})
		wantError(t, err, parts...)
	}
	for _, code := range []int{401, 403, 404, 405} {
		status.Store(int32(code))
		fails(object(server.Host+"/base", ""), Limits{}, "does not list its repositories", PackagesAnnotation, fmt.Sprint(code))
	}
	s := open(t, object(server.Host+"/base", "web,\n gone"), Options{})
	if got := rows(t, s); len(got) != 1 || !strings.HasPrefix(got[0], "reg.web.v1 ") {
		t.Errorf("the named packages that are there: %q", got)
	}
	fails(object(server.Host+"/base", "gone"), Limits{}, "no package of oci://"+server.Host+"/base has a tag")
	fails(object(server.Host+"/base", "../web"), Limits{}, PackagesAnnotation, `"../web"`)
	fails(object(server.Host+"/base", " "), Limits{}, PackagesAnnotation, "names no package")
	status.Store(0)
	fails(object(server.Host+"/other", ""), Limits{}, `lists no package below "other"`)
	fails(object(server.Host+"/base:v1", ""), Limits{}, "without a tag")
	fails(object(server.Host+"/base", ""), Limits{Packages: 1}, "has 2 packages, and more than 1 are not read")
	fails(object(server.Host+"/base", ""), Limits{Revisions: 1}, "have 2 revisions, and more than 1 are not read")
	if got := rows(t, open(t, object(server.Host, ""), Options{})); len(got) != 2 || !strings.HasPrefix(got[0], "reg.base.db.v1 ") {
		t.Errorf("a whole registry: %q", got)
	}
}

// TestFailures: a registry that fails, is empty or lies leaves the store as it was.
func TestFailures(t *testing.T) {
	var failing atomic.Pointer[string]
	answer := func(what string) { failing.Store(&what) }
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		what := failing.Load()
		switch {
		case what == nil || *what == "":
			return false
		case *what == "catalog" && strings.HasSuffix(r.URL.Path, "_catalog"):
			_, _ = w.Write([]byte(`{"repositories": []}`))
		case *what == "tags" && strings.HasSuffix(r.URL.Path, "/tags/list"):
			_, _ = w.Write([]byte(`{"name": "base/web", "tags": []}`))
		case *what == "names" && strings.HasSuffix(r.URL.Path, "/tags/list"):
			_, _ = w.Write([]byte(`{"name": "base/web", "tags": ["../../v1", "v1\\nv2", "", "v99999999999"]}`))
		case *what == "garbage" && strings.HasSuffix(r.URL.Path, "/tags/list"):
			_, _ = w.Write([]byte(`<html>`))
		case *what == "head" && r.Method == http.MethodHead:
			w.WriteHeader(http.StatusForbidden)
		case *what == "blobs" && strings.Contains(r.URL.Path, "/blobs/"):
			_, _ = w.Write([]byte("other bytes"))
		default:
			return false
		}
		return true
	})
	push(t, server.URL("base/web:v1"), "one", oci.Options{})
	s := open(t, object(server.Host+"/base", ""), Options{})
	before := rows(t, s)
	for _, what := range []string{"catalog", "tags", "garbage", "head"} {
		answer(what)
		if err := s.Refresh(t.Context()); err == nil {
			t.Errorf("%s: want an error", what)
		}
		if diff := cmp.Diff(before, rows(t, s)); diff != "" {
			t.Errorf("%s: a failed refresh changes nothing (-want +got):\n%s", what, diff)
		}
	}
	first := find(t, s, "reg.web.v1")
	answer("names")
	if err := s.Refresh(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"reg.web.v99999999999 -1 false "}, rows(t, s)); diff != "" {
		t.Errorf("what is no tag is left out, and a number that is too large is none (-want +got):\n%s", diff)
	}
	answer("blobs")
	if tree, err := s.Content(first); err == nil {
		t.Errorf("other bytes than the digest says: %v", tree.Paths())
	}
	answer("")
	tree, err := s.Content(first)
	wantText(t, tree, err, "one")
}

// TestRequests: a refresh asks for each list once and for known tags within its bound; files are read once, and after that from the disk.
func TestRequests(t *testing.T) {
	var requests, heads atomic.Int32
	server := ocitest.Hostile(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v2/" { // which only begins a session
			requests.Add(1)
		}
		if r.Method == http.MethodHead {
			heads.Add(1)
		}
		return false
	})
	for _, tag := range []string{"v1", "v2", "v3", "latest"} {
		push(t, server.URL("base/web:"+tag), tag, oci.Options{})
	}
	cache := diskcache.New(t.TempDir(), 0, func(err error) { t.Error(err) })
	o := Options{Client: oci.Options{Cache: cache, CacheScope: "fleet"}, Limits: Limits{Checks: 2}}
	s := open(t, object(server.Host+"/base", ""), o)
	requests.Store(0)
	heads.Store(0)
	moved := push(t, server.URL("base/web:v3"), "moved", oci.Options{})
	requests.Store(0)
	heads.Store(0)
	if err := s.Refresh(t.Context()); err != nil || requests.Load() != 4 || heads.Load() != 2 {
		t.Errorf("catalogue, tags and two of the known tags: %d requests, %d of them HEAD, %v", requests.Load(), heads.Load(), err)
	}
	if err := s.Refresh(t.Context()); err != nil || find(t, s, "reg.web.v3").Digest != moved {
		t.Errorf("the next refresh asks for those that were not asked for: %v", err)
	}
	requests.Store(0)
	for range 3 {
		tree, err := s.Content(find(t, s, "reg.web.v1"))
		wantText(t, tree, err, "v1")
	}
	if n := requests.Load(); n != 3 {
		t.Errorf("manifest, config and layer once: %d requests", n)
	}
	s.trees = trees{}
	tree, err := s.Content(find(t, s, "reg.web.v1"))
	if wantText(t, tree, err, "v1"); requests.Load() != 3 {
		t.Errorf("a package on the disk needs no request: %d", requests.Load())
	}
	o.Client.CacheScope = "other"
	other := open(t, object(server.Host+"/base", ""), o)
	requests.Store(0)
	if _, err := other.Content(find(t, other, "reg.web.v1")); err != nil || requests.Load() == 0 {
		t.Errorf("another namespace must show that it may read: %d requests, %v", requests.Load(), err)
	}
}

// TestRefusals: nothing is written to a registry.
func TestRefusals(t *testing.T) {
	s := &Store{name: "reg", at: oci.Reference{Registry: "reg.example", Repository: "base"}}
	rev := revision.Revision{Package: "web", Workspace: "v1"}
	_, create := s.CreateDraft(t.Context(), revision.DraftRequest{Package: "web"})
	_, update := s.UpdateDraft(t.Context(), rev, revision.Update{})
	_, change := s.ChangeAll(t.Context(), []revision.Change{{Op: revision.OpApprove, Revision: rev}}, revision.Stamp{})
	_, propose := s.ProposeDeletion(t.Context(), rev)
	_, undo := s.UndoDeletion(t.Context(), rev)
	for i, err := range []error{create, update, change, propose, undo, s.Adopt(t.Context(), []revision.Revision{rev}, revision.Adoption{}),
		s.Delete(t.Context(), rev, revision.Stamp{})} {
		var refused *revision.RefusedError
		if !errors.As(err, &refused) || refused.Exists || !strings.Contains(err.Error(), "Repository \"reg\" is an OCI registry, "+noDrafts) {
			t.Errorf("%d: want a refusal that says what to do: %v", i, err)
		}
	}
}

// TestReadingEnds: the context of a Store ends its reads, and no other one does.
func TestReadingEnds(t *testing.T) {
	server := ocitest.Registry(t)
	digest := push(t, server.URL("base/web:v1"), "one", oci.Options{})
	reading, end := context.WithCancel(t.Context())
	s := open(t, object(server.Host+"/base", ""), Options{Context: reading})
	lock := revision.Lock{Repo: server.URL("base/web"), Commit: digest}
	tree, err := s.At(lock)
	wantText(t, tree, err, "one")
	s.trees = trees{} // not from memory
	end()
	_, ofRevision := s.Content(find(t, s, "reg.web.v1"))
	_, ofLock := s.At(lock)
	if !errors.Is(ofRevision, context.Canceled) || !errors.Is(ofLock, context.Canceled) {
		t.Errorf("got %v and %v, want that of the context", ofRevision, ofLock)
	}
}

// TestTrees: packages in memory are bounded, and the least recently used goes first.
func TestTrees(t *testing.T) {
	ref := func(n int) oci.Reference { return oci.Reference{Repository: fmt.Sprint(n)} }
	one := content(t, "web", "one")
	size := trees{most: 1 << 20}
	size.put(ref(0), one)
	held := trees{most: 2*size.bytes + 1}
	held.put(ref(1), one)
	held.put(ref(2), one)
	held.get(ref(1))
	held.put(ref(3), one)
	for n, want := range map[int]bool{1: true, 2: false, 3: true} {
		if _, ok := held.get(ref(n)); ok != want {
			t.Errorf("package %d is in memory: %t, want %t", n, ok, want)
		}
	}
	small := trees{most: 10}
	if small.put(ref(1), one); len(small.held) != 0 {
		t.Error("a package that is too large is not kept")
	}
}
