package manager_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/mapcontroller"
	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// TestEachAlone runs each controller in a cluster of its own that has the kinds of this controller and no others. It starts, reconciles
// an object, and ends in order. TestSyncAlone does this for the controller of PublishedResources.
func TestEachAlone(t *testing.T) {
	backend, _, err := table.Builtin("rest-example")
	if err != nil {
		t.Fatal(err)
	}
	const own, theirs = "../manifests/crds/", "../../testdata/crds/"
	cases := map[string]struct {
		crds    []string
		options func(*manager.Options)
		object  string
		get     []string // with kubectl, to see that the object was reconciled
		want    string
	}{
		"packages": {
			[]string{own + "config.porch.kpt.dev_repositories.yaml", own + "config.porch.kpt.dev_packagevariants.yaml",
				own + "config.porch.kpt.dev_packagevariantsets.yaml", own + "waybill.dev_changebudgets.yaml"},
			func(*manager.Options) {},
			"{apiVersion: config.porch.kpt.dev/v1alpha1, kind: Repository, metadata: {name: registry}, spec: {type: oci, oci: {registry: 'example.com/packages:v1'}}}",
			[]string{"repository", "registry", "-o", "jsonpath={.status.conditions[*].message}"}, `spec.oci.registry "example.com/packages:v1": want HOST or HOST/PATH, without a tag or digest`,
		},
		"map": {
			[]string{own + "waybill.dev_mapcontrollers.yaml"},
			func(o *manager.Options) { o.MapController = &mapcontroller.Options{LastRetry: time.Second} },
			`{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: copies}, spec: {parentResource: {apiVersion: v1, resource: configmaps},
inputResources: [{apiVersion: absent.example.org/v1, resource: things}], outputResources: [{apiVersion: v1, resource: services}],
hooks: {map: {cel: {expression: "[]"}}}}}`,
			[]string{"mapcontroller", "copies", "-o", "jsonpath={.status.conditions[*].reason}"}, "NotServed",
		},
		"status": {
			[]string{theirs + "combinedstatus/always"},
			func(o *manager.Options) { o.CombinedStatus = &combinedstatus.Options{Interval: 10 * time.Millisecond} },
			"{apiVersion: control.kubestellar.io/v1alpha1, kind: StatusCollector, metadata: {name: broken}, spec: {limit: 1, select: [{name: a, def: 'obj.('}]}}",
			[]string{"statuscollector", "broken", "-o", "jsonpath={.status.errors}"}, "select",
		},
		"push": {
			[]string{own + "midonet.org_translations.yaml", own + "waybill.dev_backendinventories.yaml"},
			func(o *manager.Options) {
				o.Translation = &translation.Options{Table: backend, URL: "http://127.0.0.1:9", Inventory: types.NamespacedName{Namespace: "default"},
					Credentials: types.NamespacedName{Namespace: "default", Name: "backend"}}
			},
			"{apiVersion: midonet.org/v1, kind: Translation, metadata: {name: one}, resources: [{kind: Unicorn, body: '{}'}]}\n---\n" +
				"{apiVersion: v1, kind: Secret, metadata: {name: backend}, stringData: {username: a, password: b, project: c, token: d}}",
			[]string{"events", "-o", "jsonpath={.items[*].message}"}, `kind "Unicorn" is not in table`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := &env{TB: t, Cluster: clustertest.Start(t), log: &clustertest.Log{}, patience: 30 * time.Second, namespace: "default"}
			for _, crds := range tc.crds {
				w.InstallCRDs(t, crds)
			}
			o := manager.Options{Functions: noFunctions{}, FirstRetry: 50 * time.Millisecond, LastRetry: 200 * time.Millisecond, PollInterval: 300 * time.Millisecond,
				Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil))}
			tc.options(&o)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- manager.Run(ctx, w.Admin(), o) }()
			w.apply(tc.object)
			w.eventually("it works", "true", func() string {
				select {
				case err := <-ended:
					t.Fatalf("it ended with %v\n%s", err, w.log)
				default:
				}
				got := w.kubectl("", append([]string{"get"}, tc.get...)...)
				if strings.Contains(got, tc.want) {
					return "true"
				}
				return got
			})
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("it ended with %v\n%s", err, w.log)
			}
		})
	}
}
