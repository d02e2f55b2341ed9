package publish

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const inventory = `apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: berlin, labels: {region: eu}}
  - {name: lyon, labels: {region: eu}}
  - {name: osaka, labels: {region: ap}}
`

// work is a work of a cluster, as the bundler writes it.
func work(cluster, name, spec string, objects ...string) string {
	text := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: " + cluster + "\n  name: " + name +
		"\nspec:\n  workload:\n    manifests:\n"
	for _, o := range objects {
		text += "    - " + strings.ReplaceAll(strings.TrimSuffix(o, "\n"), "\n", "\n      ") + "\n"
	}
	return text + spec
}

func configMap(name, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: shop\n  name: " + name + "\ndata:\n  key: " + value + "\n"
}

const role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: shop:reader\nrules: []\n"

func treeOf(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// texts are the files of all artifacts, by artifact and path.
func texts(all []Content) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		for p, b := range c.Files.All() {
			out[c.Name+" "+p] = string(b.Data())
		}
	}
	return out
}

// TestContents: what each cluster gets, for each form of content.
func TestContents(t *testing.T) {
	const orphan = "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n" +
		"      - {group: \"\", resource: configmaps, namespace: shop, name: a}\n"
	const strategies = "  manifestConfigs:\n" +
		"  - resourceIdentifier: {group: \"\", resource: configmaps, namespace: shop, name: a}\n    updateStrategy: {type: ReadOnly}\n" +
		"  - resourceIdentifier: {group: \"\", resource: configmaps, namespace: shop, name: b}\n    updateStrategy: {type: CreateOnly}\n"
	const plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, name: a}\n"
	annotated := func(text, annotation string) string {
		return strings.Replace(text, "\ndata:", "\n  annotations:\n    "+annotation+"\ndata:", 1)
	}
	const watched = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: shop\n  name: a\n  annotations:\n" +
		"    kustomize.toolkit.fluxcd.io/ssa: 'Ignore'\n"
	base := map[string]string{"inventory.yaml": inventory, "clusters/berlin/p/w.yaml": work("berlin", "w", "", configMap("a", "1"), role),
		"clusters/lyon/p/w.yaml": work("lyon", "w", "", configMap("a", "2")), "clusters/osaka/p/w.yaml": work("osaka", "w", "", configMap("a", "1"))}
	cases := map[string]struct {
		reason      string
		by, content string
		files       map[string]string // besides base; nil: only base
		want        map[string]string
		err         string
	}{
		"Objects": {"each object is a file, in the folder of its namespace", ByCluster, Objects, nil, map[string]string{
			"berlin shop/configmap_a.yaml": configMap("a", "1"), "lyon shop/configmap_a.yaml": configMap("a", "2"), "osaka shop/configmap_a.yaml": configMap("a", "1"),
			"berlin clusterrole.rbac.authorization.k8s.io_shop%3Areader.yaml": role}, ""},
		"ObjectsByLabel": {"the group has a folder for each cluster", "label=region", Objects, nil, map[string]string{
			"eu berlin/shop/configmap_a.yaml": configMap("a", "1"), "eu lyon/shop/configmap_a.yaml": configMap("a", "2"),
			"ap osaka/shop/configmap_a.yaml":                                     configMap("a", "1"),
			"eu berlin/clusterrole.rbac.authorization.k8s.io_shop%3Areader.yaml": role}, ""},
		"Works": {"files as they are", ByCluster, Works, nil, map[string]string{
			"berlin clusters/berlin/p/w.yaml": base["clusters/berlin/p/w.yaml"], "lyon clusters/lyon/p/w.yaml": base["clusters/lyon/p/w.yaml"],
			"osaka clusters/osaka/p/w.yaml": base["clusters/osaka/p/w.yaml"]}, ""},
		"WorksByLabel": {"files as they are", "label=region", Works, nil, map[string]string{
			"eu clusters/berlin/p/w.yaml": base["clusters/berlin/p/w.yaml"], "eu clusters/lyon/p/w.yaml": base["clusters/lyon/p/w.yaml"],
			"ap clusters/osaka/p/w.yaml": base["clusters/osaka/p/w.yaml"]}, ""},
		"Options": {"what the work asks of OCM's agent is asked of Flux; what the agent only watches is left alone", ByCluster, Objects, map[string]string{
			"clusters/berlin/p/w.yaml": work("berlin", "w", orphan, configMap("a", "1")), "clusters/lyon/p/w.yaml": work("lyon", "w", strategies, configMap("a", "2"), configMap("b", "1"))},
			map[string]string{"berlin shop/configmap_a.yaml": annotated(configMap("a", "1"), "kustomize.toolkit.fluxcd.io/prune: 'disabled'"),
				"lyon shop/configmap_a.yaml":  watched,
				"lyon shop/configmap_b.yaml":  annotated(configMap("b", "1"), "kustomize.toolkit.fluxcd.io/ssa: 'IfNotPresent'"),
				"osaka shop/configmap_a.yaml": configMap("a", "1")}, ""},
		"HandOver": {"what a work only releases is not in the artifact", ByCluster, Objects, map[string]string{
			"clusters/berlin/p/w.yaml": strings.Replace(work("berlin", "w", orphan, configMap("a", "1")), "spec:", "  annotations:\n    waybill.dev/hand-over: \"1\"\nspec:", 1)},
			map[string]string{"lyon shop/configmap_a.yaml": configMap("a", "2"), "osaka shop/configmap_a.yaml": configMap("a", "1")}, ""},
		"Watched": {"one policy only watches what another delivers", ByCluster, Objects, map[string]string{
			"clusters/lyon/p/w.yaml": work("lyon", "w", "", configMap("a", "2")), "clusters/lyon/q/w.yaml": work("lyon", "x", strategies, configMap("a", "3"))},
			map[string]string{"berlin shop/configmap_a.yaml": configMap("a", "1"), "berlin clusterrole.rbac.authorization.k8s.io_shop%3Areader.yaml": role,
				"lyon shop/configmap_a.yaml": configMap("a", "2"), "osaka shop/configmap_a.yaml": configMap("a", "1")}, ""},
		"Twice": {"the same object of two policies is there once", ByCluster, Objects, map[string]string{"clusters/lyon/q/w.yaml": work("lyon", "x", "", configMap("a", "2")),
			"clusters/berlin/p/w.yaml": work("berlin", "w", "", configMap("a", "1"))}, map[string]string{"berlin shop/configmap_a.yaml": configMap("a", "1"),
			"lyon shop/configmap_a.yaml": configMap("a", "2"), "osaka shop/configmap_a.yaml": configMap("a", "1")}, ""},
		"Differs": {"two policies disagree", ByCluster, Objects, map[string]string{"clusters/lyon/q/w.yaml": work("lyon", "x", "", configMap("a", "3"))}, nil,
			`cluster "lyon": ConfigMap shop/a is in clusters/lyon/p/w.yaml and in clusters/lyon/q/w.yaml, and differs`},
		"Plain": {"plain objects are for clusters", ByCluster, Works, map[string]string{"clusters/lyon/q/a.yaml": plain}, nil,
			`file "clusters/lyon/q/a.yaml" holds an object that is no ManifestWork`},
		"Config": {"a function's configuration is for no hub", ByCluster, Works, map[string]string{"clusters/lyon/p/w.yaml": base["clusters/lyon/p/w.yaml"] +
			"---\napiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: x, annotations: {config.kubernetes.io/local-config: \"true\"}}\n"}, nil, `no ManifestWork`},
		"Shared": {"a hub of one must not get works of the other", ByCluster, Works, map[string]string{"all.yaml": work("berlin", "x", "", role) + "---\n" + work("lyon", "x", "", role)}, nil,
			`file "all.yaml" has works of the clusters "berlin" and "lyon"`},
		"JSON": {"Flux reads no JSON", ByCluster, Works, map[string]string{"clusters/lyon/q/w.json": `{"apiVersion": "work.open-cluster-management.io/v1",
			"kind": "ManifestWork", "metadata": {"namespace": "lyon", "name": "x"}}`}, nil, `"clusters/lyon/q/w.json": Flux applies no works`},
		"Conflict": {"options that cannot be read may let objects stay", ByCluster, Objects, map[string]string{
			"clusters/lyon/p/w.yaml": work("lyon", "w", orphan+"<<<<<<< HEAD\n", configMap("a", "2"))}, nil, `clusters/lyon/p/w.yaml: work "w": deleteOption`},
		"WrongOption": {"such options are none", ByCluster, Objects, map[string]string{
			"clusters/lyon/p/w.yaml": strings.Replace(work("lyon", "w", "  deleteOption: [Orphan]\n", configMap("a", "2")), "kind", "\"kind\"", 1)}, nil, `clusters/lyon/p/w.yaml: work "w": deleteOption`},
		"NoLabel":   {"no cluster is left out silently", "label=tier", Works, nil, nil, `cluster "berlin" has no label "tier"`},
		"BadName":   {"registries refuse capitals", ByCluster, Objects, map[string]string{"clusters/Rome/a.yaml": plain}, nil, `"Rome" as the last part of a repository's name`},
		"BadObject": {"files name their faults", ByCluster, Objects, map[string]string{"clusters/lyon/q/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n"}, nil, "clusters/lyon/q/a.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(base)
			maps.Copy(files, tc.files)
			got, err := Contents(treeOf(t, files), Options{By: tc.by, Content: tc.content})
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("%s: want an error with %q, got %v", tc.reason, tc.err, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, texts(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if !slices.IsSortedFunc(got, func(a, b Content) int { return strings.Compare(a.Name, b.Name) }) {
				t.Error("it is not sorted")
			}
		})
	}
}

// TestNothing: a tree without clusters is an error, so that a misspelt folder publishes nothing.
func TestNothing(t *testing.T) {
	for _, files := range []map[string]string{{}, {"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n"}} {
		if _, err := Contents(treeOf(t, files), Options{By: ByCluster, Content: Objects}); err == nil || !strings.Contains(err.Error(), "nothing to publish") {
			t.Errorf("want an error, got %v", err)
		}
	}
}

// TestFileOf: no name is longer than file systems allow, and no two objects have the same.
func TestFileOf(t *testing.T) {
	long := strings.Repeat("a", 250)
	a := fileOf(krm.ID{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: long + "b"})
	b := fileOf(krm.ID{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: long + "c"})
	if len(a) > 255 || a == b || !strings.HasSuffix(a, ".yaml") {
		t.Errorf("got %q and %q", a, b)
	}
}
