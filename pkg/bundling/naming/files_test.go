package naming

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestObjectFile(t *testing.T) {
	cases := map[string]struct {
		reason string
		id     krm.ID
		want   string
	}{
		"Namespaced": {"kind, namespace, name", krm.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, "deployment_shop_web.yaml"},
		"Cluster":    {"an empty namespace is kept", krm.ID{Kind: "Namespace", Name: "shop"}, "namespace__shop.yaml"},
		"Colon":      {"not every file system takes a colon", krm.ID{Kind: "Role", Namespace: "a", Name: "x:y"}, "role_a_x%3Ay.yaml"},
		"Underscore": {"the separator cannot be part of a name", krm.ID{Kind: "Role", Namespace: "a", Name: "x_y"}, "role_a_x%5Fy.yaml"},
		"Upwards":    {"no name leaves its folder", krm.ID{Kind: "../X", Namespace: "..", Name: "../../y"}, "..%2Fx_.._..%2F..%2Fy.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := ObjectFile(tc.id); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

// TestObjectFileOfLongNames holds the longest names apart, and within what file systems take.
func TestObjectFileOfLongNames(t *testing.T) {
	long := krm.ID{Kind: "ConfigMap", Namespace: strings.Repeat("n", 63), Name: strings.Repeat("x", 252)}
	a, b := long, long
	a.Name, b.Name = a.Name+"a", b.Name+"b"
	for _, name := range []string{ObjectFile(a), ContestedFile(a, a)} {
		if len(name) > 255 {
			t.Errorf("file name of %d bytes: %s", len(name), name)
		}
	}
	if ObjectFile(a) == ObjectFile(b) {
		t.Error("two objects, one file")
	}
}
