package main

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// pushPackage pushes a package with a greeting to a registry, also over another one.
func pushPackage(t *testing.T, url, greeting string) (digest string) {
	t.Helper()
	tree, err := pkgtree.New(map[string][]byte{
		"Kptfile":  []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"),
		"app.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\ndata:\n  greeting: " + greeting + "\n  colour: blue\n"),
	})
	must(t, err)
	artifact, err := oci.PackageArtifact(tree, nil, nil)
	must(t, err)
	ref, err := oci.ParseReference(url)
	must(t, err)
	client, err := oci.New(oci.Options{MoveTags: true, Keychain: oci.Anonymous()})
	must(t, err)
	digest, err = client.Push(t.Context(), ref, artifact)
	must(t, err)
	return digest
}

// TestRegistryRepository follows a package from a registry into Git by commands: registered, cloned, edited, upgraded; what a registry
// cannot do is refused, and a moved tag is an error.
func TestRegistryRepository(t *testing.T) {
	server := ocitest.Registry(t)
	one := pushPackage(t, server.URL("base/shop:v1"), "hello")
	pushPackage(t, server.URL("base/shop:latest"), "hello")
	git := gittest.NewBare(t)
	gittest.Commit(t, git, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "prod\n"})})
	url := gittest.NewHTTP(t, git)
	t.Chdir(t.TempDir())
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	must(t, os.Mkdir("fleet", 0o755))
	run := func(code int, args ...string) cliRun {
		t.Helper()
		r := runCLI(t, args...)
		if r.code != code {
			t.Fatalf("%v: exit code %d, want %d; stdout %q, stderr %q", args, r.code, code, r.stdout, r.stderr)
		}
		return r
	}
	says := func(r cliRun, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(r.stdout+r.stderr, part) {
				t.Errorf("there is no %q in %q, %q", part, r.stdout, r.stderr)
			}
		}
	}
	run(exitDone, "repo", "reg", server.URL("base"), "-f", "fleet", "-n", "fleet")
	run(exitDone, "repo", "reg", url, "-f", "fleet", "-n", "fleet", "--name", "prod")
	says(run(exitDone, "repo", "get", "-f", "fleet"), "fleet       base   oci    false        -       "+server.Host+"/base\n")
	says(run(exitDone, "rpkg", "get", "-f", "fleet", "-o", "wide"), "base.shop.v1       shop      v1              1          true     Published   base         "+one,
		"base.shop.latest   shop      latest          -1         false    Published   base")

	writeFile(t, "fleet/eu.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu, namespace: fleet}\nspec:\n"+
		"  upstream: {repo: base, package: shop, revision: 1}\n  downstream: {repo: prod, package: eu/shop}\n", 0o600)
	says(run(exitDone, "reconcile", "-f", "fleet"), "prod.eu.shop.packagevariant-1", "cloned from base.shop.v1")
	run(exitDone, "rpkg", "propose", "-f", "fleet", "prod.eu.shop.packagevariant-1")
	run(exitDone, "rpkg", "approve", "-f", "fleet", "prod.eu.shop.packagevariant-1")
	run(exitDone, "rpkg", "copy", "-f", "fleet", "prod.eu.shop.packagevariant-1", "--workspace", "edited")
	run(exitDone, "rpkg", "pull", "-f", "fleet", "prod.eu.shop.edited", "edited")
	writeFile(t, "edited/app.yaml", strings.Replace(readText(t, "edited/app.yaml"), "blue", "red", 1), 0o600)
	run(exitDone, "rpkg", "push", "-f", "fleet", "prod.eu.shop.edited", "edited")
	run(exitDone, "rpkg", "propose", "-f", "fleet", "prod.eu.shop.edited")
	run(exitDone, "rpkg", "approve", "-f", "fleet", "prod.eu.shop.edited")

	pushPackage(t, server.URL("base/shop:v2"), "goodbye")
	says(run(exitDone, "rpkg", "upgrade", "-f", "fleet", "--discover", "upstream"), "prod.eu.shop.edited", "base.shop.v1", "base", "v2")
	run(exitDone, "rpkg", "upgrade", "-f", "fleet", "prod.eu.shop.edited", "--workspace", "second")
	run(exitDone, "rpkg", "pull", "-f", "fleet", "prod.eu.shop.second", "second")
	if got := readText(t, "second/app.yaml"); !strings.Contains(got, "goodbye") || !strings.Contains(got, "red") {
		t.Errorf("upstream's change and the local edit: %s", got)
	}
	says(run(exitDone, "rpkg", "diff", "-f", "fleet", "base.shop.v1", "base.shop.v2"), "hello", "goodbye")

	says(run(exitDone, "rpkg", "diff", "-f", "fleet", "prod.eu.shop.second", "--with", "upstream"), "red")
	run(exitDone, "rpkg", "clone", "-f", "fleet", server.URL("base/shop:v1"), "lab/shop", "--repository", "prod", "--workspace", "v1")
	says(run(exitDone, "rpkg", "get", "-f", "fleet", "prod.lab.shop.v1", "--show-kptfile"), "repo: "+server.URL("base/shop")+"\n", "commit: "+one)
	if got := gittest.Git(t, git, "log", "-1", "--format=%B", "drafts/lab/shop/v1"); !strings.Contains(got, `"type":"oci","oci":{"image":"`+server.Host+"/base/shop@"+one) {
		t.Errorf("the commit names the artifact: %s", got)
	}
	run(exitDone, "rpkg", "clone", "-f", "fleet", "base.shop.v1", "us/shop", "--repository", "prod", "--workspace", "v1")
	run(exitDone, "rpkg", "pull", "-f", "fleet", "base.shop.v1", "plain")
	for args, want := range map[string]string{
		"copy base.shop.v1 --workspace w":                             `Repository "base" is an OCI registry, which holds published packages and no drafts`,
		"clone base.shop.v1 us/other --repository base --workspace w": `Repository "base" is an OCI registry`,
		"init us/new --repository base --workspace w":                 `Repository "base" is an OCI registry`,
		"propose-delete base.shop.v1":                                 `Repository "base" is an OCI registry`,
		"clone base.shop.latest us/other --repository prod":           "has no number",
	} {
		says(run(exitFailed, append([]string{"rpkg"}, strings.Fields(args+" -f fleet")...)...), want)
	}

	writeFile(t, "fleet/lost.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: lost, namespace: fleet}\n"+
		"spec: {type: oci, oci: {registry: "+server.Host+"/lost}}\n", 0o600)
	says(run(exitDone, "rpkg", "delete", "-f", "fleet", "prod.eu.shop.second"), "deleted") // whatever registries say
	says(run(exitDone, "rpkg", "get", "-f", "fleet"), "warning: repository fleet/lost: registry "+server.Host+` lists no package below "lost"`)
	moved := pushPackage(t, server.URL("base/shop:v1"), "evil")
	refs := gittest.Refs(t, git)
	says(run(exitFailed, "reconcile", "-f", "fleet"), `tag "v1" of `+server.URL("base/shop")+" was moved", one, moved, "waybill.dev/accept-digest")
	if got := gittest.Refs(t, git); got != refs {
		t.Errorf("a moved tag changes nothing:\n%s\nwas\n%s", got, refs)
	}
}
