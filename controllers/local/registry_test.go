package local_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const gitBlueprints = "  type: git\n  git:\n    repo: ../blueprints.git\n"

// inRegistry is a fleet whose blueprint lies in a registry, and not in Git.
func inRegistry(t testing.TB, server *ocitest.Server) *fleet {
	t.Helper()
	f := newFleet(t)
	f.edit("repositories.yaml", gitBlueprints, "  type: oci\n  oci:\n    registry: "+server.Host+"/base\n")
	f.push(server, "v1")
	return f
}

// push pushes the blueprint with a tag, with pairs of text replaced in all of its files, and returns the digest.
func (f *fleet) push(server *ocitest.Server, tag string, oldnew ...string) string {
	f.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"Kptfile", "README.md", "app.yaml", "site.yaml"} {
		files[name] = []byte(strings.NewReplacer(oldnew...).Replace(*f.upstream("shop/" + name)))
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		f.Fatal(err)
	}
	artifact, err := oci.PackageArtifact(tree, nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	ref, err := oci.ParseReference(server.URL("base/shop:" + tag))
	if err != nil {
		f.Fatal(err)
	}
	client, err := oci.New(oci.Options{MoveTags: true, Keychain: oci.Anonymous()})
	if err != nil {
		f.Fatal(err)
	}
	digest, err := client.Push(f.Context(), ref, artifact)
	if err != nil {
		f.Fatal(err)
	}
	return digest
}

// TestRegistry clones a package from a real registry, merges a newer one with a local edit, and finds that a tag was moved.
func TestRegistry(t *testing.T) {
	server := ocitest.Registry(t)
	f := inRegistry(t, server)
	one := f.push(server, "v1")
	f.expect("a tag is a revision", "eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v1")
	f.expectQuiet("a second run changes nothing", "eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
	kptfile := f.files("drafts/eu/shop/packagevariant-1", "eu/shop")["Kptfile"]
	lock := fmt.Sprintf("upstream:\n  type: git\n  git:\n    repo: %[1]s\n    ref: v1\nupstreamLock:\n  type: git\n  git:\n    repo: %[1]s\n    ref: v1\n"+
		"    commit: %[2]s\n", server.URL("base/shop"), one)
	if !strings.Contains(kptfile, lock) {
		t.Errorf("the lock records the digest; want\n%s\nin\n%s", lock, kptfile)
	}
	f.commit("drafts/eu/shop/packagevariant-1", map[string]*string{"eu/shop/README.md": text("# Our shop\n")})
	f.publish("deployments.eu.shop.packagevariant-1")

	moved := f.push(server, "v1", "hello", "goodbye")
	const blocked = `eu blocked: tag "v1" of %s was moved: "deployments.eu.shop.packagevariant-1" was made of %s, and the tag names %s now; ` +
		"a published revision must not change: publish the new files under a new number, push the old ones again, or accept the new ones by the " +
		"annotation waybill.dev/accept-digest: %[3]s"
	f.expectQuiet("a tag that was moved is not merged", fmt.Sprintf(blocked, server.URL("base/shop"), one, moved))

	f.push(server, "v2", "hello", "good day")
	f.edit("eu.yaml", "revision: 1", "revision: 2")
	f.expect("a newer number is merged, from what v1 was", "eu created: deployments.eu.shop.packagevariant-2: upgraded from v1")
	after := f.files(secondDraft, "eu/shop")
	if !strings.Contains(after["app.yaml"], "good day") || after["README.md"] != "# Our shop\n" {
		t.Errorf("upstream's change and the local edit are both there:\n%s\n%s", after["app.yaml"], after["README.md"])
	}
	f.expectQuiet("and again, nothing changes", "eu unchanged: deployments.eu.shop.packagevariant-2: nothing to change")
	f.publish("deployments.eu.shop.packagevariant-2")

	accepted := f.push(server, "v2", "hello", "good night")
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations: {waybill.dev/accept-digest: \""+accepted+"\"}\n")
	f.expect("a digest that a user accepted is an upgrade", "eu created: deployments.eu.shop.packagevariant-3: upgraded from v2")
	if got := f.show("drafts/eu/shop/packagevariant-3", "eu/shop/app.yaml"); !strings.Contains(got, "good night") {
		t.Errorf("the accepted files arrive; got\n%s", got)
	}
}

// TestRegistryFails: whatever a registry does, nothing is deleted, and the reports say why nothing happens.
func TestRegistryFails(t *testing.T) {
	var failing atomic.Pointer[string]
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		what := failing.Load()
		switch {
		case what == nil:
			return false
		case *what == "unreadable":
			w.WriteHeader(http.StatusForbidden)
		case *what == "empty" && strings.HasSuffix(r.URL.Path, "/_catalog"):
			_, _ = w.Write([]byte(`{"repositories": []}`))
		case *what == "no tag" && strings.HasSuffix(r.URL.Path, "/tags/list"):
			_, _ = w.Write([]byte(`{"name": "base/shop", "tags": ["latest"]}`))
		case *what == "lies" && strings.Contains(r.URL.Path, "/blobs/"):
			_, _ = w.Write([]byte("other bytes"))
		default:
			return false
		}
		return true
	})
	f := inRegistry(t, server)
	f.reconcile()
	f.publish("deployments.eu.shop.packagevariant-1")
	f.push(server, "v2", "hello", "good day")
	f.edit("eu.yaml", "revision: 1", "revision: 2")
	for what, want := range map[string]string{
		"unreadable": "eu failed: upstream: repository fleet/blueprints: ",
		"empty":      `eu failed: upstream: repository fleet/blueprints: registry ` + server.Host + ` lists no package below "base": `,
		"no tag":     "eu failed: could not find upstream package revision 'shop/v2' in repo 'blueprints'",
		"lies":       "eu failed: deployments.eu.shop.packagevariant-1 was made of commit sha256:",
	} {
		failing.Store(&what)
		f.unmoved(what, func() {
			got := lines(f.reconcile())
			if len(got) != 1 || !strings.HasPrefix(got[0], want) {
				t.Errorf("%s: want %q, got %q", what, want, got)
			}
		})
	}
	what := "unreadable"
	failing.Store(&what)
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n")
	f.expect("a registry holds nothing that a variant made, so that it does not hold up deletions",
		"eu updated: deployments.eu.shop.packagevariant-1 proposed for deletion")
}

// TestDeletedTag: a variant that follows the highest number stays with it when its tag is deleted, and so does one that names it.
func TestDeletedTag(t *testing.T) {
	var deleted atomic.Bool
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if deleted.Load() && strings.HasSuffix(r.URL.Path, "/tags/list") {
			_, _ = w.Write([]byte(`{"name": "base/shop", "tags": ["v1"]}`))
			return true
		}
		return false
	})
	f := inRegistry(t, server)
	f.push(server, "v2", "hello", "good day")
	f.edit("eu.yaml", "revision: 1", "follow: latest")
	f.expect("the highest number", "eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v2")
	f.publish("deployments.eu.shop.packagevariant-1")
	deleted.Store(true)
	f.expectQuiet("is not left for a lower one", "eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
	f.edit("eu.yaml", "follow: latest", "revision: 2")
	f.expectQuiet("a number that is gone is named", "eu failed: could not find upstream package revision 'shop/v2' in repo 'blueprints'")
}

// TestRegistrySet: a set makes variants of a package in a registry, reads one Kptfile of it, and pulls each artifact once.
func TestRegistrySet(t *testing.T) {
	var layers atomic.Int32
	server := ocitest.Hostile(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/manifests/") {
			layers.Add(1)
		}
		return false
	})
	f := inRegistry(t, server)
	f.remove("eu.yaml")
	f.write("edge.yaml", strings.Replace(sites, "revision: 1", "follow: latest", 1))
	f.write("sites.yaml", moreSites)
	f.push(server, "v2", "hello", "good day")
	layers.Store(0)
	got := strings.Join(f.expand(), "\n")
	for _, site := range []string{"lyon", "nice", "paris"} {
		if want := "created: deployments.sites." + site + ".packagevariant-1: cloned from blueprints.shop.v2"; !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := layers.Load(); n != 1 {
		t.Errorf("three drafts are made of one artifact, which was pulled %d times", n)
	}
}

// TestRegistryDownstream: drafts are not made in registries.
func TestRegistryDownstream(t *testing.T) {
	server := ocitest.InMemory(t)
	f := inRegistry(t, server)
	f.edit("eu.yaml", "repo: deployments", "repo: blueprints")
	f.expectQuiet("a registry holds no drafts", `eu failed: downstream: Repository "blueprints" `+
		`is an OCI registry, which holds published packages and no drafts: make drafts in a Repository of type git, and publish packages by `+
		`'waybill pkg push'`)
}

// TestToRegistry moves a blueprint from Git to a registry, and back: the merge starts from where the package came from.
func TestToRegistry(t *testing.T) {
	server := ocitest.InMemory(t)
	f := published(t)
	f.push(server, "v2", "hello", "good day")
	f.write("registry.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: registry, namespace: fleet}\n"+
		"spec: {type: oci, oci: {registry: "+server.Host+"/base}}\n")
	f.edit("eu.yaml", "repo: blueprints", "repo: registry", "revision: 1", "revision: 2")
	f.expect("from Git to a registry", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	f.publish("deployments.eu.shop.packagevariant-2")
	f.release(3, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "howdy")})
	f.edit("eu.yaml", "repo: registry", "repo: blueprints", "revision: 2", "revision: 3")
	f.expect("and back", "eu created: deployments.eu.shop.packagevariant-3: upgraded from v2")
	if got := f.show("drafts/eu/shop/packagevariant-3", "eu/shop/app.yaml"); !strings.Contains(got, "howdy") {
		t.Errorf("what changed arrives:\n%s", got)
	}
}

// TestRegistrySecret: the password of a Secret in the files is used, and shows nowhere.
func TestRegistrySecret(t *testing.T) {
	server := ocitest.Registry(t, ocitest.WithLogin("jo", "p4ssw0rd"))
	f := newFleet(t)
	f.edit("repositories.yaml", gitBlueprints, "  type: oci\n  oci:\n    registry: "+server.Host+"/base\n    secretRef: {name: login}\n")
	secrets := map[string]string{
		"right": `{"auths": {"` + server.Host + `": {"username": "jo", "password": "p4ssw0rd"}}}`,
		"wrong": `{"auths": {"` + server.Host + `": {"username": "jo", "password": "s3cr3t"}}}`,
	}
	got := map[string]string{}
	for name, config := range maps.All(secrets) {
		f.write("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: fleet}\ntype: kubernetes.io/dockerconfigjson\n"+
			"stringData:\n  .dockerconfigjson: '"+config+"'\n")
		got[name] = strings.Join(lines(f.reconcile()), "\n")
	}
	if diff := cmp.Diff(true, strings.Contains(got["right"], `lists no package below "base"`)); diff != "" {
		t.Errorf("the password is taken, and the registry is empty: %q", got["right"])
	}
	if !strings.Contains(got["wrong"], "401") || strings.Contains(got["right"]+got["wrong"], "p4ssw0rd") || strings.Contains(got["wrong"], "s3cr3t") {
		t.Errorf("a wrong password is refused, and no password shows: %q", got)
	}
	gittest.Fsck(f, f.path("deployments.git"))
}
