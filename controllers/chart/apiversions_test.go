package chart

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
)

// writeVersions is a flag of this test binary.
var writeVersions = flag.Bool("write-api-versions", false, "write the API versions that charts see by default")

// TestAPIVersions holds the API versions that charts see by default to those that Helm takes from client-go. It is here, as
// libraries know no client.
func TestAPIVersions(t *testing.T) {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensionsv1beta1.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(all); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, gv := range all.PrioritizedVersionsAllGroups() {
		want = append(want, gv.String())
	}
	slices.Sort(want)
	if *writeVersions {
		var b strings.Builder
		b.WriteString("package chart\n\n// DefaultAPIVersions are the API versions that charts see when nothing else is said: those of Helm. " +
			"A test\n// writes them (-write-api-versions, in controllers/chart).\nvar DefaultAPIVersions = VersionSet{\n")
		for _, v := range want {
			fmt.Fprintf(&b, "\t%q,\n", v)
		}
		b.WriteString("}\n")
		if err := os.WriteFile("../../pkg/helm/chart/apiversions.go", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Skip("written")
	}
	if d := cmp.Diff(want, []string(chart.DefaultAPIVersions)); d != "" {
		t.Errorf("run go test ./controllers/chart -run TestAPIVersions -write-api-versions (-want +got):\n%s", d)
	}
}
