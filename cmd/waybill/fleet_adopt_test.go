package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adoptcmd "github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/adopt"
	"github.com/waybill-dev/waybill/pkg/fleet/adopt"
)

// adoptedFiles is a package that KubeStellar's works belong to, and these works as kubectl prints them.
func adoptedFiles(t *testing.T) string {
	t.Helper()
	objects := fmt.Sprintf(adoptedMap, "a") + "---\n" + fmt.Sprintf(adoptedMap, "b") + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\nstringData: {key: in-git}\n"
	files := strings.NewReplacer("NS", "shop", "SPACE", "wds1").Replace(adoptedPackage)
	files = strings.ReplaceAll(files, "\n-- ", "\n-- shop/") + "-- shop/objects.yaml --\n" + objects
	for name, text := range map[string]string{
		"works": list(hubWork("shop", "shop-wds1-0", "", "a", "b") + hubWork("shop", "0d4c0bbb-5cf5-44d6-9d8e-31b1ab9a4c0d-wds1-7e1ffa02-a1c3-4b77-b3e3-31b1ab9a4c0d", "", "Secret") +
			hubWork("stock", "stock-wds1-0", "", "a")),
		"more":     list(hubWork("shop", "shop-wds1-0", "", "a", "b", "c")),
		"none":     list(hubWork("stock", "stock-wds1-0", "", "a")),
		"spaces":   list(hubWork("shop", "shop-wds1-0", "", "a") + strings.ReplaceAll(hubWork("shop", "shop-wds2-0", "", "b"), "WdsName: wds1", "WdsName: wds2")),
		"deleting": list(hubWork("shop", "shop-wds1-0", "deletionTimestamp: 2026-01-01T00:00:00Z", "a") + hubWork("shop", "other", "", "b")),
		"twice":    list(hubWork("shop", "shop-wds1-0", "", "a") + hubWork("shop", "shop-wds1-0", "", "b")),
		"empty":    list(hubWork("shop", "shop-wds1-0", "")),
		"ours":     list(hubWork("shop", "shop-wds1-0", "annotations: {waybill.dev/generated-by: bundle-manifestwork}", "a")),
		"option":   list(strings.ReplaceAll(hubWork("shop", "shop-wds1-0", "", "a"), "spec: {", "spec: {deleteOption: {propagationPolicy: Orphan}, ")),
		"hostile":  list(strings.ReplaceAll(hubWork("shop", "shop-wds1-0", "", "a"), "namespace: shared", "namespace: ../../x")),
	} {
		files += "-- " + name + ".yaml --\n" + text
	}
	return files
}

const adoptedMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: shop}\n"

func list(items string) string { return "apiVersion: v1\nkind: List\nitems:\n" + items }

// hubWork is a work of KubeStellar on cluster shared, with more metadata, that holds ConfigMaps of these names, or a Secret.
func hubWork(policy, name, metadata string, held ...string) string {
	var manifests []string
	for _, name := range held {
		m := fmt.Sprintf(`{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: shop}}`, name)
		if name == "Secret" {
			m = `{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: shop}, immutable: true, data: {key: aHVudGVyMg==}}`
		}
		manifests = append(manifests, m)
	}
	return fmt.Sprintf(`- apiVersion: work.open-cluster-management.io/v1
  kind: ManifestWork
  metadata:
    namespace: shared
    name: %s
    uid: 4bc29cd1-3a5b-4d9a-9d0e-5b8a4f1f0c11
    resourceVersion: "77"
    labels: {transport.kubestellar.io/originOwnerReferenceBindingKey: %s, transport.kubestellar.io/originWdsName: wds1}
    %s
  spec: {workload: {manifests: [%s]}}
  status: {conditions: []}
`, name, policy, metadata, strings.Join(manifests, ", "))
}

// TestFleetAdopt wants a dry run to write nothing, --write to write a rendered package without the data of Secrets, and a second run
// to change nothing, also after the package was rendered before.
func TestFleetAdopt(t *testing.T) {
	t.Chdir(writeArchive(t, adoptedFiles(t)))
	const args = "fleet adopt shop --wds-name wds1 -f "
	before := readTree(t, "shop")
	r := runCLI(t, strings.Fields(args+"works.yaml")...)
	want := "CLUSTER   POLICY   WORKS   OBJECTS   KEPT   HANDED-OVER   LOST\nshared    shop     2       3         2      1             0\n"
	if diff := cmp.Diff(want, r.stdout); r.code != exitDone || diff != "" || r.stderr != "left alone: 1 work of policy stock, which the package does not have\n" {
		t.Errorf("%d %s (-want +got):\n%s", r.code, r.stderr, diff)
	}
	if changed := before.Diff(readTree(t, "shop")); len(changed) > 0 {
		t.Errorf("a dry run writes %q", changed)
	}
	mustRun(t, strings.Fields(args+"works.yaml --write")...)
	after := readTree(t, "shop")
	var works []string
	for _, file := range after.Paths() {
		if text, _ := after.Get(file); strings.Contains(string(text), "aHVudGVyMg") || strings.Contains(string(text), "resourceVersion: \"77\"") || strings.Contains(string(text), "immutable") {
			t.Errorf("%s has what only the hub knows:\n%s", file, text)
		}
		if strings.HasPrefix(file, "clusters/") {
			works = append(works, file)
		}
	}
	if diff := cmp.Diff([]string{"clusters/shared/shop/0d4c0bbb-5cf5-44d6-9d8e-31b1ab9a4c0d-wds1-7e1ffa02-a1c3-4b77-b3e3-31b1ab9a4c0d.yaml",
		"clusters/shared/shop/manifestwork-0.yaml"}, works); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	mustRun(t, "fn", "render", "shop")
	mustRun(t, strings.Fields(args+"works.yaml --write")...)
	if changed := after.Diff(readTree(t, "shop")); len(changed) > 0 {
		t.Errorf("a second run writes %q", changed)
	}
	r = runCLI(t, strings.Fields(args+"works.yaml --exit-code")...)
	if r.code != exitFailed {
		t.Errorf("--exit-code: %d", r.code)
	}
}

// TestFleetAdoptData wants the same for scripts.
func TestFleetAdoptData(t *testing.T) {
	t.Chdir(writeArchive(t, adoptedFiles(t)))
	r := runCLI(t, "fleet", "adopt", "shop", "-f", "more.yaml", "-o", "json", "--write")
	var got adoptcmd.Adoption
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.code != exitRefused {
		t.Fatal(err, r.code, r.stdout, r.stderr)
	}
	want := adoptcmd.Adoption{TypeMeta: got.TypeMeta, WDSName: "wds1", Preview: got.Preview, Others: map[string]int{},
		Items: []adopt.Count{{Cluster: "shared", Policy: "shop", Works: 1, Objects: 3, Kept: 2, Lost: 1}},
		Lost:  []adopt.Loss{{Cluster: "shared", Work: "shop-wds1-0", Kind: "ConfigMap", Namespace: "shop", Name: "c"}}}
	if diff := cmp.Diff(want, got); diff != "" || got.Kind != "FleetAdoption" || got.Preview.Summary.Removed != 1 || got.Preview.Summary.Added != 1 {
		t.Errorf("(-want +got):\n%s\n%v", diff, got.Preview)
	}
	if !strings.Contains(r.stderr, "cluster shared would lose ConfigMap shop/c of work shop-wds1-0\nerror: refused: ") || readTree(t, "shop").Blob("bindings/shop.yaml") != nil {
		t.Errorf("want the object, and nothing written: %s", r.stderr)
	}
	if r := runCLI(t, "fleet", "adopt", "shop", "-f", "more.yaml", "-o", "yaml"); r.code != exitRefused || !strings.Contains(r.stdout, "kind: FleetAdoption\n") {
		t.Errorf("yaml: %d %s", r.code, r.stdout)
	}
}

// TestFleetAdoptErrors wants everything refused that could delete objects, and nothing written.
func TestFleetAdoptErrors(t *testing.T) {
	cases := map[string]struct {
		reason, args string
		change       func(t *testing.T)
		code         int
		stderr       string
	}{
		"Neither":   {"works come from somewhere", "shop", nil, exitUsage, "name a hub by --kubeconfig or --context, or files"},
		"Both":      {"and from one place", "shop -f works.yaml --kubeconfig x", nil, exitUsage, "and not both"},
		"NoHub":     {"a hub that is not there", "shop --kubeconfig x", nil, exitFailed, "error: find the cluster: "},
		"NoPackage": {"a folder that no pipeline renders", "-f works.yaml", nil, exitFailed, "the folder has no Kptfile"},
		"NoPolicy": {"a package that is not exported", "shop -f works.yaml", func(t *testing.T) { writeFile(t, "shop/policy.yaml", "# none\n", 0o644) }, exitFailed,
			"the package has no BindingPolicy and no Binding: export them"},
		"None":     {"nothing to do is no failure", "shop -f none.yaml --exit-code", nil, exitDone, "Nothing to take over"},
		"Ours":     {"nor is a second time", "shop -f ours.yaml --exit-code", nil, exitDone, "(works of Waybill: 1)"},
		"Spaces":   {"several spaces, and no --wds-name", "shop -f spaces.yaml", nil, exitFailed, `the works are of several workload spaces ("wds1": 1, "wds2": 1): choose one by --wds-name`},
		"Space":    {"a chosen one", "shop -f spaces.yaml --wds-name wds1", nil, exitDone, ""},
		"NoSpace":  {"one that there is not", "shop -f spaces.yaml --wds-name wds", nil, exitFailed, `no work is of workload space "wds"; there are "wds1": 1, "wds2": 1`},
		"Deleting": {"all faults at once", "shop -f deleting.yaml", nil, exitFailed, "ManifestWork shared/other: metadata.name: want the name that KubeStellar gives: shop-wds1-<number> or <UID>-wds1-<UID>; ManifestWork shared/shop-wds1-0: it is being deleted"},
		"Twice":    {"files that disagree", "shop -f twice.yaml", nil, exitFailed, "ManifestWork shared/shop-wds1-0 occurs twice"},
		"Empty":    {"a work without objects", "shop -f empty.yaml", nil, exitFailed, "spec.workload.manifests: it is empty"},
		"Hostile":  {"a file cannot leave the package", "shop -f hostile.yaml", nil, exitFailed, `metadata.namespace: "../../x" is no name of a cluster`},
		"Option":   {"a work that releases its objects already", "shop -f option.yaml", nil, exitFailed, "spec.deleteOption: KubeStellar sets none"},
		"Crowded": {"a file that holds more than the work", "shop -f more.yaml", func(t *testing.T) {
			mustRun(t, "fn", "render", "shop")
			writeFile(t, "shop/clusters/shared/shop/manifestwork-0.yaml", readText(t, "shop/clusters/shared/shop/manifestwork-0.yaml")+"---\n"+fmt.Sprintf(adoptedMap, "q"), 0o644)
		}, exitFailed, "the package has it in clusters/shared/shop/manifestwork-0.yaml, with other objects"},
		"Render": {"a package that does not render", "shop -f more.yaml", func(t *testing.T) { writeFile(t, "shop/clusters.yaml", "# none\n", 0o644) }, exitFailed,
			"with the works of the hub: render package"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(writeArchive(t, adoptedFiles(t)))
			if tc.change != nil {
				tc.change(t)
			}
			before := readTree(t, ".")
			r := runCLI(t, append([]string{"fleet", "adopt"}, strings.Fields(tc.args)...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.stderr) {
				t.Errorf("%s: exit code %d, want %d; stderr %q, want %q", tc.reason, r.code, tc.code, r.stderr, tc.stderr)
			}
			if changed := before.Diff(readTree(t, ".")); len(changed) > 0 {
				t.Errorf("%s: it writes %q", tc.reason, changed)
			}
		})
	}
}
