package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// randomFleet draws the files of a fleet of a few clusters: works as the bundler writes them, works that people wrote, and
// plain objects. Sizes are small so that two fleets have much in common.
func randomFleet(t *rapid.T, name string) map[string][]byte {
	files := map[string][]byte{}
	for _, cluster := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "edge-1"}), 0, 4, rapid.ID[string]).Draw(t, name+" clusters") {
		for n := range rapid.IntRange(0, 2).Draw(t, name+" works") {
			work := fmt.Sprintf("w-%d", n)
			file := fmt.Sprintf("clusters/%s/shop/%s.yaml", cluster, work)
			files[file] = []byte(randomWork(t, cluster, work))
		}
		if rapid.IntRange(0, 3).Draw(t, name+" plain") == 0 {
			files["clusters/"+cluster+"/plain.yaml"] = []byte(randomObject(t))
		}
	}
	return files
}

var randomWays = []string{"plain", "flow", "wide", "elsewhere", "aliased", "quoted"}

// randomWork is a work in one of several ways to write it.
func randomWork(t *rapid.T, cluster, name string) string {
	var items []string
	for range rapid.IntRange(0, 4).Draw(t, "objects") {
		items = append(items, randomObject(t))
	}
	head := fmt.Sprintf("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: %s\n  name: %s\n", cluster, name)
	rest := rapid.SampledFrom([]string{"", "", "  deleteOption:\n    propagationPolicy: Orphan\n"}).Draw(t, "rest")
	if len(items) == 0 {
		return head + "spec:\n  workload: {}\n" + rest
	}
	switch rapid.SampledFrom(randomWays).Draw(t, "way") {
	case "flow":
		var flow []string
		for _, item := range items {
			data, err := yaml.YAMLToJSON([]byte(item))
			if err != nil {
				t.Fatal(err)
			}
			flow = append(flow, string(data))
		}
		return head + "spec:\n  workload: {manifests: [" + strings.Join(flow, ", ") + "]}\n" + rest
	case "wide":
		return head + "spec:\n  workload:\n    manifests:\n" + indented(items, "        ", "      - ") + rest
	case "elsewhere":
		return "# by hand\n" + head + "spec:\n" + rest + "  workload:\n    manifests:\n" + indented(items, "      ", "    - ")
	case "quoted":
		odd := "    - apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: q}\n      data:\n        k: \"one\n    - " + rapid.SampledFrom([]string{"two", "three"}).Draw(t, "quoted") + "\"\n"
		return head + "spec:\n  workload:\n    manifests:\n" + indented(items, "      ", "    - ") + odd + rest
	case "aliased":
		alias := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: &l {v: %s}}\n"
		items = append(items, fmt.Sprintf(alias, rapid.SampledFrom([]string{"q", "r"}).Draw(t, "anchor")), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y, labels: *l}\n")
	}
	return head + "spec:\n  workload:\n    manifests:\n" + indented(items, "      ", "    - ") + rest
}

// indented are objects as items of a list.
func indented(items []string, indent, first string) string {
	var b strings.Builder
	for _, item := range items {
		for i, line := range strings.Split(strings.TrimSuffix(item, "\n"), "\n") {
			switch {
			case i == 0:
				b.WriteString(first + line + "\n")
			case line == "":
				b.WriteString("\n")
			default:
				b.WriteString(indent + line + "\n")
			}
		}
	}
	return b.String()
}

func randomObject(t *rapid.T) string {
	pick := func(what string, from ...string) string { return rapid.SampledFrom(from).Draw(t, what) }
	name := pick("name", "web", "db", "cfg")
	meta := "metadata:\n  name: " + name + "\n  namespace: shop\n"
	if v := pick("label", "", "1", "2"); v != "" {
		meta += "  labels:\n    v: \"" + v + "\"\n"
	}
	if v := pick("internal", "", "", "", "x"); v != "" {
		meta += "  annotations:\n    internal.config.kubernetes.io/index: '" + v + "'\n"
	}
	switch pick("kind", "ConfigMap", "Deployment", "Secret") {
	case "ConfigMap":
		return "apiVersion: v1\nkind: ConfigMap\n" + meta + "data:\n  text: |\n    one\n\n    - " + pick("text", "two", "three") + "\n  k: " + pick("value", "a", "\"a\"", "b") + "\n"
	case "Deployment":
		containers := []string{"    - {name: app, image: a/" + pick("image", "x", "y") + "}\n", "    - name: side\n      image: b\n"}
		if pick("order", "as is", "turned") == "turned" {
			slices.Reverse(containers)
		}
		return "apiVersion: apps/v1\nkind: Deployment\n" + meta + "spec:\n  replicas: " + pick("replicas", "0", "1", "2") +
			"\n  template:\n    spec:\n      containers:\n" + strings.ReplaceAll(strings.Join(containers, ""), "    ", "      ")
	}
	return "apiVersion: v1\nkind: Secret\n" + meta + "stringData:\n  token: " + pick("token", secretOne, secretTwo) + "\n"
}

// What must be in no preview.
const secretOne, secretTwo = "hunter-one", "hunter-two"

func treeOf(t testing.TB, files map[string][]byte) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

const (
	plainKptfile  = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	workHead      = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n"
	manifestsHead = "spec:\n  workload:\n    manifests:\n"
)
