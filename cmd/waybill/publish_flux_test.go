package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/fluxtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// TestPublishFlux lets Flux apply the artifacts of two clusters from a registry. A change of one cluster is pulled for that one alone. Both
// clusters are namespaces of one API server.
func TestPublishFlux(t *testing.T) {
	c := clustertest.Shared(t)
	registry := ocitest.Registry(t)
	flux := fluxtest.Start(t, c)
	root := publishRepo(t)
	namespace := map[string]string{"a": c.Namespace(t), "b": c.Namespace(t)}
	deliver := func(values map[string]string, message string) map[string]publishedAt {
		t.Helper()
		must(t, os.RemoveAll("shop/clusters"))
		for cluster, value := range values {
			for name := range strings.FieldsSeq(value) {
				name, value, _ := strings.Cut(name, "=")
				text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: " + namespace[cluster] + "\n  name: " + name + "\ndata:\n  key: " + value + "\n"
				work := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: " + cluster + "\n  name: " + name +
					"\nspec:\n  workload:\n    manifests:\n    - " + strings.TrimSpace(strings.ReplaceAll(text, "\n", "\n      ")) + "\n"
				if value == "watched" {
					work += "  manifestConfigs:\n  - resourceIdentifier: {group: '', resource: configmaps, namespace: " + namespace[cluster] + ", name: " + name +
						"}\n    updateStrategy: {type: ReadOnly}\n"
				}
				writeFile(t, filepath.Join("shop", "clusters", cluster, "p", name+".yaml"), work, 0o644)
			}
		}
		commitAll(t, root, message)
		out := map[string]publishedAt{}
		for _, row := range publishedRows(t, "shop", registry.URL("fleet")) {
			out[row.Name] = publishedAt{row.Digest, row.State}
		}
		return out
	}
	value := func(cluster, name string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), "", "get", "configmap", name, "--namespace", namespace[cluster], "--ignore-not-found", "-o", "jsonpath={.data.key}")
		must(t, err)
		return out
	}
	first := deliver(map[string]string{"a": "x=one y=one z=one", "b": "x=one"}, "first")
	for _, cluster := range []string{"a", "b"} {
		flux.FollowArtifact(t, registry.URL("fleet"), cluster)
		flux.SyncArtifact(t, cluster, first[cluster].digest)
	}
	if got := value("a", "x") + value("a", "y") + value("a", "z") + value("b", "x"); got != "oneoneoneone" {
		t.Errorf("Flux applies the artifacts, got %s", got)
	}
	pulled, _ := flux.ArtifactPulledAt(t, "b")
	second := deliver(map[string]string{"a": "x=two z=watched", "b": "x=one"}, "second")
	if second["a"].state != "pushed" || second["b"] != (publishedAt{first["b"].digest, "unchanged"}) {
		t.Errorf("only a changes: %v, then %v", first, second)
	}
	for _, cluster := range []string{"a", "b"} {
		flux.SyncArtifact(t, cluster, second[cluster].digest)
	}
	if got := value("a", "x") + value("a", "y") + value("a", "z") + value("b", "x"); got != "twooneone" {
		t.Errorf("Flux applies the change, prunes y, and leaves z alone, got %s", got)
	}
	if again, revision := flux.ArtifactPulledAt(t, "b"); again != pulled || revision != "latest@"+first["b"].digest {
		t.Errorf("the artifact of b was pulled again: at %s, then %s %s", pulled, again, revision)
	}
}

type publishedAt struct{ digest, state string }

// TestPublishPage runs the commands of docs/publish.md, and holds it to the objects by which Flux applies artifacts.
func TestPublishPage(t *testing.T) {
	page, path := absolute(t, "../../docs/publish.md"), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH")
	dir, registry := t.TempDir(), ocitest.InMemory(t)
	must(t, os.CopyFS(filepath.Join(dir, "shop"), os.DirFS(blueprint)))
	gittest.Git(t, dir, "init", "--quiet", "--initial-branch=main")
	put := strings.NewReplacer("oci://registry.example.com", strings.TrimSuffix(registry.URL(""), "/"))
	out := runScript(t, page, "exec 2>&1\n"+put.Replace(strings.Join(slices.Concat(blocks(t, page, "sh")...), "\n")), dir, append(gitUser(t), path)...)
	checkShown(t, page, "", out)
	if !strings.Contains(out, "Artifacts: 6 planned.\n") || !strings.Contains(out, "Artifacts: 6 pushed.\n") {
		t.Errorf("the page prints:\n%s", out)
	}
	want := "```yaml\n" + strings.NewReplacer("PREFIX", "oci://registry.example.com/fleet", "CLUSTER", "berlin").Replace(fluxtest.ArtifactObjects) + "```\n"
	if text := readText(t, page); !strings.Contains(text, want) {
		t.Errorf("docs/publish.md does not have\n%s", want)
	}
}
