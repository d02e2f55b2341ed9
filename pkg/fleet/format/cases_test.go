package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// files is one side of a change.
type files map[string]string

// work is a file with a work that carries these objects to a cluster.
func (f files) work(cluster, name, settings string, objects ...string) files {
	text := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: " + cluster + "\n  name: " + name + "\nspec:\n  workload:\n    manifests:\n"
	for _, o := range objects {
		text += "    - " + strings.ReplaceAll(strings.TrimSuffix(o, "\n"), "\n", "\n      ") + "\n"
	}
	f["clusters/"+cluster+"/shop/"+name+".yaml"] = text + settings
	return f
}

// handOver is work of which the last object is a hand-over entry.
func (f files) handOver(cluster, name, settings string, objects ...string) files {
	f.work(cluster, name, settings, objects...)
	file := "clusters/" + cluster + "/shop/" + name + ".yaml"
	f[file] = strings.Replace(f[file], "\nspec:", "\n  annotations:\n    waybill.dev/hand-over: \"1\"\nspec:", 1)
	return f
}

func (f files) tree(t testing.TB) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range f {
		data[p] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func deployment(name, replicas, image string) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: %s\n  namespace: shop\nspec:\n  replicas: %s\n  template:\n    spec:\n      containers:\n      - name: app\n        image: %s\n", name, replicas, image)
}

func namespace(name string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: " + name + "\n"
}

func configMap(name, value string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %q\n  namespace: shop\ndata:\n  k: %q\n", name, value)
}

// hosts are clusters with a value that has their name in it.
func hosts(value string, clusters int) files {
	f := files{}
	for i := range clusters {
		f.work(fmt.Sprintf("edge-%d", i), "w", "", configMap("cfg", fmt.Sprintf("%s.edge-%d.example.com", value, i)))
	}
	return f
}

func secret(token string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: token\n  namespace: shop\nstringData:\n  token: " + token + "\n"
}

// annotated is an object with these annotations.
func annotated(kind, name string, annotations ...string) string {
	text := "apiVersion: v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n  namespace: shop\n"
	if len(annotations) > 0 {
		text += "  annotations:\n    " + strings.Join(annotations, "\n    ") + "\n"
	}
	return text
}

// hostile is text of an attacker.
const hostile = "\x1b[31m\u202e</code></details><script>alert(1)</script> ![x](http://evil.example) @everyone `a` | b\n::error::x\r%0A,:"

// cases are changes, each in every format in a file of testdata.
func cases() map[string]struct {
	reason        string
	before, after files
} {
	orphan := "  deleteOption:\n    propagationPolicy: Orphan\n"
	config := func(strategy string) string {
		return "  manifestConfigs:\n  - resourceIdentifier:\n      group: apps\n      resource: deployments\n      namespace: shop\n      name: web\n    updateStrategy:\n      type: " + strategy + "\n"
	}
	many := func(image, last string) files {
		f := files{}
		for i := range 12 {
			v := image
			if i > 9 {
				v = last
			}
			f.work(fmt.Sprintf("edge-%d", i), "shop-0", "", namespace("shop"), deployment("web", "3", v))
		}
		f["app/web.yaml"] = "# the shop\n" + deployment("web", "3", image)
		return f
	}
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: xs.example.com\n"
	lets := func(group, resource, ns, name string) string { // what lets go of the last object of a work
		about := fmt.Sprintf("group: %q\n#resource: %s\n#namespace: %q\n#name: %s\n", group, resource, ns, name)
		return "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n      - " + strings.ReplaceAll(about, "#", "        ") +
			"  manifestConfigs:\n  - resourceIdentifier:\n      " + strings.ReplaceAll(about, "#", "      ") + "    updateStrategy:\n      type: CreateOnly\n"
	}
	crdLet, webLet := lets("apiextensions.k8s.io", "customresourcedefinitions", "", "xs.example.com"), lets("apps", "deployments", "shop", "web")
	applied := func(resource string) string {
		return "  manifestConfigs:\n  - resourceIdentifier:\n      group: \"\"\n      resource: " + resource + "\n      namespace: \"*\"\n      name: \"*\"\n    updateStrategy:\n      type: ServerSideApply\n"
	}
	web := deployment("web", "1", "x")
	claim := func(name string) string {
		return "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: " + name + "\n  namespace: shop\n"
	}
	keep := "  deleteOption:\n    propagationPolicy: SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n"
	for _, name := range []string{"one", "two", "three"} {
		keep += "      - group: \"\"\n        resource: persistentvolumeclaims\n        namespace: shop\n        name: " + name + "\n"
	}
	return map[string]struct {
		reason        string
		before, after files
	}{
		"handover": {"objects that come in another work: with a hand-over, without, and hand-overs that end",
			files{}.work("a", "w-0", "", configMap("one", "1"), crd).work("b", "w-0", "", crd).handOver("c", "w-0", webLet, configMap("one", "1"), web).work("c", "w-1", "", web),
			files{}.handOver("a", "w-0", crdLet, configMap("one", "1"), crd).work("a", "w-1", "", crd).work("b", "w-1", "", crd).work("c", "w-0", "", configMap("one", "1")).work("c", "w-1", "", web)},
		"leaving": {"what is lost on clusters that leave, and what is left behind",
			files{}.work("a", "w", config("CreateOnly"), namespace("shop"), web, crd).work("b", "w", "", namespace("shop"), crd, configMap("one", "1")).work("c", "w", "", web).work("d", "w", "", web),
			files{}.handOver("c", "w", webLet, web).work("d", "w", "", web)},
		"staying": {"objects that hold data stay: on a cluster that leaves, and where nothing selects them any more; works begin and cease to say so",
			files{}.work("a", "w", keep, claim("one"), claim("two"), claim("three"), web).work("b", "w", keep, claim("one"), claim("two"), claim("three"), web).
				work("c", "w", "", claim("one"), web).work("d", "w", keep, claim("one"), claim("two"), claim("three")),
			files{}.work("b", "w", keep, claim("two"), claim("three"), web).work("c", "w", keep, claim("one"), web).work("d", "w", "", claim("one"), claim("two"), claim("three"))},
		"applied": {"another default for how objects are applied is one line",
			files{}.work("a", "w-0", "", configMap("one", "1")).work("a", "w-1", "", namespace("shop")).work("b", "w-0", "", configMap("one", "1")),
			files{}.work("a", "w-0", applied("configmaps"), configMap("one", "1")).work("a", "w-1", applied("namespaces"), namespace("shop")).work("b", "w-0", applied("configmaps"), configMap("one", "1"))},
		"nothing": {"the same on both sides", many("a/x:1", "a/x:1"), many("a/x:1", "a/x:1")},
		"differ": {"the same field changes everywhere, on two clusters to something else that is riskier",
			many("a.example.com/x:1", "a.example.com/x:1"), many("a.example.com/x:2", "b.example.com/x:2")},
		"risky": {"what is riskier comes first",
			files{}.work("a", "w", "", namespace("shop"), deployment("web", "3", "x:1"), deployment("db", "1", "y"), configMap("cfg", "1")).
				work("b", "w", "", namespace("shop"), configMap("cfg", "1")),
			files{}.work("a", "w", "", deployment("web", "0", "reg.example.com/x:1"), configMap("cfg", "2")).
				work("b", "w", "", namespace("shop"), configMap("cfg", "2"), configMap("new", "1"))},
		"movers": {"clusters that join and leave",
			files{}.work("old", "w", "", namespace("shop"), configMap("cfg", "1")).work("stays", "w", "", configMap("cfg", "1")),
			files{}.work("young", "w", "", namespace("shop"), configMap("cfg", "1")).work("stays", "w", "", configMap("cfg", "1"))},
		"works": {"objects that come in another work, and works that are handled in another way",
			files{}.work("a", "w-0", config("CreateOnly"), deployment("web", "1", "x"), configMap("one", "1")).work("a", "w-1", "", configMap("two", "2")),
			files{}.work("a", "w-0", config("ServerSideApply"), deployment("web", "1", "x")).work("a", "w-1", orphan, configMap("one", "1"), configMap("two", "3"))},
		"each": {"a value that differs on every cluster is printed once", hosts("a", 12), hosts("b", 12)},
		"apart": {"what is added everywhere, and riskier on one: that one first, and the others are named, too",
			files{}.work("a", "w", "", namespace("shop")).work("b", "w", "", namespace("shop")).work("c", "w", "", namespace("shop")),
			files{}.work("a", "w", "", namespace("shop"), deployment("web", "1", "x")).work("b", "w", "", namespace("shop"), deployment("web", "1", "x")).
				work("c", "w", "", namespace("shop"), strings.Replace(deployment("web", "1", "x"), "    spec:\n", "    spec:\n      hostNetwork: true\n", 1))},
		"plain": {"objects without a work, in the folder of a cluster",
			files{"clusters/a/cm.yaml": configMap("cfg", "1")}, files{"clusters/a/cm.yaml": configMap("cfg", "2"), "clusters/a/note.md": "x"}},
		"secret": {"a changed secret, whose value is hidden",
			files{}.work("a", "w", "", secret("hunter2")).work("b", "w", "", secret("hunter2")),
			files{}.work("a", "w", "", secret("hunter3")).work("b", "w", "", secret("hunter4"))},
		"copies": {"annotations that repeat objects, and those of Secrets, are hidden",
			files{}.work("a", "w", "", annotated("Secret", "one", "x: hunter2"), annotated("ConfigMap", "two", "note: a", "banzaicloud.com/last-applied: hunter2"), annotated("ConfigMap", "three")),
			files{}.work("a", "w", "", annotated("Secret", "one", "x: hunter3", "kapp.k14s.io/original: hunter2", "helm.sh/hook: test"), annotated("ConfigMap", "two", "note: b", "banzaicloud.com/last-applied: hunter3"),
				annotated("ConfigMap", "three", `example.com/copy: '{"kind":"Secret","data":{"a":"hunter2"}}'`))},
		"hostile": {"names and values are not trusted",
			files{}.work("a", "w", "", configMap(hostile, "1")), files{}.work("a", "w", "", configMap(hostile, hostile))},
	}
}

// previewOf compares two sides, with places as the command has them for programs.
func previewOf(t testing.TB, before, after files) *waybill.FleetPreview {
	t.Helper()
	was, err := fleet.Read(before.tree(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := fleet.Read(after.tree(t), was)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fleet.Compare(was, is)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Preview("pkg")
	p.Before.Name, p.After.Name = "before", "after"
	fleet.Locate(p, before.tree(t), after.tree(t), "pkg")
	return p
}
