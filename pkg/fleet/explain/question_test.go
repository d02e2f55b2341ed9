package explain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseQuestion(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		want         Question
		err          string
	}{
		"Cluster":   {"a cluster alone", "edge-1", Question{Cluster: "edge-1"}, ""},
		"Object":    {"an object in a namespace", "c/deployment.apps/shop/web", Question{Cluster: "c", Kind: "deployment.apps", Namespace: "shop", Name: "web"}, ""},
		"NoSpace":   {"an object in none", "c/ClusterRole/system:x", Question{Cluster: "c", Kind: "ClusterRole", Name: "system:x"}, ""},
		"Field":     {"a field may hold slashes", "c/Namespace/shop#metadata.labels[a/b]", Question{Cluster: "c", Kind: "Namespace", Name: "shop", Field: Path{{name: "metadata"}, {name: "labels"}, {name: "a/b", boxed: true}}}, ""},
		"Kind":      {"a kind alone", "c/Deployment", Question{}, `"c/Deployment": want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME or, without a namespace, CLUSTER/KIND/NAME`},
		"Empty":     {"nothing", "", Question{}, `"": want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME or, without a namespace, CLUSTER/KIND/NAME`},
		"Gap":       {"an empty part", "c/Secret//x", Question{}, `"c/Secret//x": want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME or, without a namespace, CLUSTER/KIND/NAME`},
		"TooLong":   {"too many parts", "a/b/c/d/e", Question{}, `"a/b/c/d/e": want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME or, without a namespace, CLUSTER/KIND/NAME`},
		"NoObject":  {"a field of nothing", "c#spec", Question{}, `"c#spec": a field is of an object; want CLUSTER/KIND/NAMESPACE/NAME#FIELD`},
		"NoField":   {"a field that is none", "c/A/b#", Question{}, "name a field after #"},
		"BadField":  {"a field that is none", "c/A/b#a..b", Question{}, `field "a..b": a name is missing before ".b"`},
		"TwoHashes": {"the first counts", "c/A/b#a#b", Question{Cluster: "c", Kind: "A", Name: "b", Field: Path{{name: "a#b"}}}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := ParseQuestion(tc.text)
			said := ""
			if err != nil {
				got, said = Question{}, err.Error()
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(step{})); diff != "" || said != tc.err {
				t.Errorf("%s: %q (-want +got):\n%s", tc.reason, said, diff)
			}
		})
	}
}
