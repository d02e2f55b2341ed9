package publishedresource_test

import (
	"crypto/sha1" // #nosec G505 -- for names, as kcp's sync agent computes them
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// settings copies the ConfigMaps of consumers that have a label.
const settings = `
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: settings}
spec:
  resource: {apiGroup: "", kind: ConfigMap}
  filter: {resource: {matchLabels: {offered: "true"}}}
  naming: {name: '{{ .Object.metadata.name }}'}
`

// TestCoreType has a type of the core group.
func TestCoreType(t *testing.T) {
	f := newFixture(t)
	f.home.Put(settings)
	put := func(name, label, size string) {
		f.shop.Put(fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NAMESPACE, labels: {offered: '%s'}}, data: {size: %s}}", name, label, size))
	}
	copyOf := func(name string) string { return f.home.at("v1", "ConfigMap", name, "data") }
	put("mine", "false", "small")
	put("theirs", "true", "small")
	f.start()
	f.eventually("a ConfigMap has a copy", func() string { return diff("map[size:small]", copyOf("theirs")) })
	put("theirs", "true", "large")
	f.eventually("a change is copied", func() string { return diff("map[size:large]", copyOf("theirs")) })
	if got := copyOf("mine"); got != "gone" {
		t.Errorf("a ConfigMap without the label has the copy %s", got)
	}
	f.awaitReady("settings", "True Syncing")
	f.shop.Remove("v1", "ConfigMap", "theirs")
	f.eventually("it is deleted", func() string { return diff("gone gone", copyOf("theirs")+" "+f.shop.at("v1", "ConfigMap", "theirs")) })
}

// TestSchemaNamesAsServed compares names of schemas with those that kcp's sync agent computes: it reads a definition from an
// API server, and encodes the Go struct.
func TestSchemaNamesAsServed(t *testing.T) {
	f := newFixture(t)
	text, err := os.ReadFile("../../pkg/apisync/publish/testdata/definitions.yaml")
	f.Must(err)
	definitions, err := krm.Read("definitions.yaml", text, krm.Limits{})
	f.Must(err)
	for _, crd := range definitions {
		text, err := krm.Write([]*krm.Object{crd})
		f.Must(err)
		f.shop.Put(string(text))
		served := f.shop.get(crd.APIVersion(), crd.Kind(), crd.Name())
		f.shop.Remove(crd.APIVersion(), crd.Kind(), crd.Name())
		typed := &apiextensionsv1.CustomResourceDefinition{}
		f.Must(runtime.DefaultUnstructuredConverter.FromUnstructured(served.Object, typed))
		typed.Spec.Conversion = nil
		sum := sha1.New() // #nosec G401 -- as above
		f.Must(json.NewEncoder(sum).Encode(typed.Spec))
		want := "v" + hex.EncodeToString(sum.Sum(nil))[:8] + "." + crd.Name()
		pr := &waybill.PublishedResource{}
		f.Must(yaml.Unmarshal(fmt.Appendf(nil, "spec: {resource: {apiGroup: %s, kind: %s}}", crd.String("spec", "group"), crd.String("spec", "names", "kind")), pr))
		projected, err := publish.Project(crd, pr)
		f.Must(err)
		schema, err := publish.Schema(projected, pr)
		f.Must(err)
		if schema.Name() != want {
			t.Errorf("got %s, the agent has %s", schema.Name(), want)
		}
	}
}
