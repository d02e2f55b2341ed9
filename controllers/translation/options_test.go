package translation_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/translation"
)

func TestOptionsThatCannotWork(t *testing.T) {
	table, err := readMidonet()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason string
		change func(*translation.Options)
		want   string
	}{
		"good":        {"nothing else need be said", func(*translation.Options) {}, ""},
		"table":       {"without kinds nothing can be pushed", func(o *translation.Options) { o.Table = nil }, "needs a table"},
		"inventory":   {"what was applied must be kept", func(o *translation.Options) { o.Inventory.Namespace = "" }, "a namespace for its inventory"},
		"name":        {"pages are told apart by a dot", func(o *translation.Options) { o.Inventory.Name = "a.1" }, "the name of the inventory"},
		"credentials": {"this backend has a login", func(o *translation.Options) { o.Credentials = types.NamespacedName{} }, "name a Secret"},
		"half":        {"a Secret is in a namespace", func(o *translation.Options) { o.Credentials.Namespace = "" }, "namespace and name"},
		"pauses":      {"pauses grow", func(o *translation.Options) { o.FirstRetry, o.LastRetry = time.Hour, time.Minute }, "no shorter than the first"},
		"address":     {"and it is not repeated: it may hold a password", func(o *translation.Options) { o.URL = "https://u:p@lab" }, "contains a user"},
		"authority":   {"a file that is no certificate", func(o *translation.Options) { o.CABundle = []byte("x") }, "PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			at := types.NamespacedName{Namespace: "a", Name: "b"}
			o := translation.Options{Table: table, URL: "https://lab/midonet-api", Credentials: at, Inventory: types.NamespacedName{Namespace: "a"}}
			tc.change(&o)
			got := ""
			if err := o.Check(); err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tc.want) || (tc.want == "") != (got == "") {
				t.Errorf("%s (-want +got):\n%s", tc.reason, cmp.Diff(tc.want, got))
			}
		})
	}
}
