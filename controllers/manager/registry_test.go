package manager_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const registryObject = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: registry
spec:
  type: oci
  oci:
    registry: %s/base
    secretRef: {name: login}
`

// push pushes the blueprint to a registry, with pairs of text replaced, and returns the digest.
func (w *env) push(server *ocitest.Server, tag string, oldnew ...string) string {
	w.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"Kptfile", "app.yaml", "site.yaml"} {
		text := gittest.Git(w, w.dirs["blueprints"], "show", "main:shop/"+name) + "\n"
		files[name] = []byte(strings.NewReplacer(oldnew...).Replace(text))
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		w.Fatal(err)
	}
	artifact, err := oci.PackageArtifact(tree, nil, nil)
	if err != nil {
		w.Fatal(err)
	}
	ref, err := oci.ParseReference(server.URL("base/shop:" + tag))
	if err != nil {
		w.Fatal(err)
	}
	client, err := oci.New(oci.Options{MoveTags: true, Keychain: oci.BasicAuth(server.Host, "porch", token)})
	if err != nil {
		w.Fatal(err)
	}
	digest, err := client.Push(w.Context(), ref, artifact)
	if err != nil {
		w.Fatal(err)
	}
	return digest
}

// TestRegistry lets a variant follow a package in a real registry that wants a password: the controller sees new tags and moved ones by
// itself, and says what it cannot read.
func TestRegistry(t *testing.T) {
	server := ocitest.Registry(t, ocitest.WithLogin("porch", token))
	w := newEnv(t)
	one := w.push(server, "v1")
	w.start()
	w.apply(fmt.Sprintf(registryObject, server.Host))
	repository := func() string { return w.ready("repository/registry") }
	variant := func() string { return w.ready("packagevariant/eu") }
	w.eventually("a Secret that is missing", `False Error: secretRef: there is no Secret "login" in namespace "`+w.namespace+`"`, repository)
	w.apply("apiVersion: v1\nkind: Secret\nmetadata: {name: login}\ntype: kubernetes.io/dockerconfigjson\nstringData:\n  .dockerconfigjson: '" +
		`{"auths": {"` + server.Host + `": {"username": "porch", "password": "` + token + `"}}}` + "'\n")
	w.eventually("with it the registry is read", "True Ready: the repository can be read", repository)
	w.eventually("and its packages are counted", "1", func() string { return w.get("repository/registry", "{.status.packageCount}") })

	w.apply(strings.ReplaceAll(replaced(w, "eu.yaml", "repo: blueprints", "repo: registry"), "workspaceName: v1", "revision: 1"))
	w.eventually("a draft is made in Git", good, variant)
	w.publish("deployments.eu.shop.packagevariant-1")
	moved := w.push(server, "v1", "hello", "evil")
	w.eventually("a moved tag is seen, and is not merged", "False Error: "+fmt.Sprintf("tag \"v1\" of %s was moved: \"deployments.eu.shop.packagevariant-1\" "+
		"was made of %s, and the tag names %s now; a published revision must not change: publish the new files under a new number, push the old "+
		"ones again, or accept the new ones by the annotation waybill.dev/accept-digest: %[3]s", server.URL("base/shop"), one, moved), variant)
	if got := w.refs(); strings.Contains(got, "packagevariant-2") {
		t.Errorf("nothing is drafted: %s", got)
	}
	w.push(server, "v1")
	w.eventually("the old files are as good as ever", good, variant)

	everything := w.log.String() + w.kubectl("", "get", "repositories,packagevariants,events", "-o", "yaml")
	if strings.Contains(everything, token) {
		t.Errorf("a secret shows in:\n%s", everything)
	}
}

// TestRegistryFails: a registry that refuses, or that shows nothing any more, is named in conditions; what was made of it stays.
func TestRegistryFails(t *testing.T) {
	var failing atomic.Bool
	server := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if failing.Load() && strings.HasSuffix(r.URL.Path, "/_catalog") {
			_, _ = w.Write([]byte(`{"repositories": []}`))
			return true
		}
		return false
	})
	w := newEnv(t)
	w.push(server, "v1")
	w.apply(strings.Replace(fmt.Sprintf(registryObject, server.Host), "    secretRef: {name: login}\n", "", 1))
	w.start()
	w.apply(strings.ReplaceAll(replaced(w, "eu.yaml", "repo: blueprints", "repo: registry"), "workspaceName: v1", "revision: 1"))
	w.eventually("a draft is made in Git", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and the package is counted", "1", func() string { return w.get("repository/registry", "{.status.packageCount}") })
	failing.Store(true)
	w.eventually("an empty registry is an error", "False Error: registry "+server.Host+` lists no package below "base": push one by 'waybill pkg push', `+
		"correct spec.oci.registry, or name the packages in the annotation waybill.dev/packages", func() string { return w.ready("repository/registry") })
	w.eventually("what was found before stays", "1", func() string { return w.get("repository/registry", "{.status.packageCount}") })
	before := w.refs()
	w.kubectl("", "delete", "packagevariant", "eu", "--timeout=20s")
	w.eventually("and holds up no deletion", "", w.refs)
	if !strings.Contains(before, "packagevariant-1") {
		t.Errorf("the draft was there until then: %q", before)
	}
	failing.Store(false)
	w.eventually("it is read again", "True Ready: the repository can be read", func() string { return w.ready("repository/registry") })
}
