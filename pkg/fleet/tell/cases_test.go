package tell_test

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

func secret(token string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: token\n  namespace: shop\nstringData:\n  token: " + token + "\n"
}

// hostile is what somebody may write who wishes ill to those who read a preview.
const hostile = "\x1b[31m\u202e</code></details><script>alert(1)</script> ![x](http://evil.example) @everyone `a` | b\n::error::x\r%0A,:"

// cases are changes, each told in every form in a file of testdata.
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
	return map[string]struct {
		reason        string
		before, after files
	}{
		"nothing": {"the same on both sides", many("a/x:1", "a/x:1"), many("a/x:1", "a/x:1")},
		"differ": {"the same field changes everywhere, on two clusters to something else that is riskier",
			many("a.example.com/x:1", "a.example.com/x:1"), many("a.example.com/x:2", "b.example.com/x:2")},
		"risky": {"what is riskier comes first",
			files{}.work("a", "w", "", namespace("shop"), deployment("web", "3", "x:1"), deployment("db", "1", "y"), configMap("cfg", "1")).
				work("b", "w", "", namespace("shop"), configMap("cfg", "1")),
			files{}.work("a", "w", "", deployment("web", "0", "reg.example.com/x:1"), configMap("cfg", "2")).
				work("b", "w", "", namespace("shop"), configMap("cfg", "2"), configMap("new", "1"))},
		"movers": {"clusters that join and leave are told of as such",
			files{}.work("old", "w", "", namespace("shop"), configMap("cfg", "1")).work("stays", "w", "", configMap("cfg", "1")),
			files{}.work("young", "w", "", namespace("shop"), configMap("cfg", "1")).work("stays", "w", "", configMap("cfg", "1"))},
		"works": {"objects that come in another work, and works that are handled in another way",
			files{}.work("a", "w-0", config("CreateOnly"), deployment("web", "1", "x"), configMap("one", "1")).work("a", "w-1", "", configMap("two", "2")),
			files{}.work("a", "w-0", config("ServerSideApply"), deployment("web", "1", "x")).work("a", "w-1", orphan, configMap("one", "1"), configMap("two", "3"))},
		"plain": {"objects without a work, in the folder of a cluster",
			files{"clusters/a/cm.yaml": configMap("cfg", "1")}, files{"clusters/a/cm.yaml": configMap("cfg", "2"), "clusters/a/note.md": "x"}},
		"secret": {"a secret has changed, and what it is is not told",
			files{}.work("a", "w", "", secret("hunter2")).work("b", "w", "", secret("hunter2")),
			files{}.work("a", "w", "", secret("hunter3")).work("b", "w", "", secret("hunter4"))},
		"hostile": {"names and values are anybody's",
			files{}.work("a", "w", "", configMap(hostile, "1")), files{}.work("a", "w", "", configMap(hostile, hostile))},
	}
}

// previewOf compares two sides, and tells places as the command does for machines.
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
