package reports

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// objects reads YAML as plain data.
func objects(t testing.TB, text string) (out []map[string]any) {
	t.Helper()
	objs, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objs {
		v, err := krm.Value(o.Node())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v.(map[string]any))
	}
	return out
}

// plain is v as an API server would hand it out.
func plain(t testing.TB, v any) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// indexOf puts everything in, in order.
func indexOf(t testing.TB, wds string, objs ...map[string]any) *Index {
	t.Helper()
	x := New(wds)
	for _, o := range objs {
		if _, err := x.Put(o); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// view is all that an Index says.
type view struct {
	Reports  map[string]Report
	Warnings []string
}

func viewOf(x *Index) view {
	v := view{Reports: map[string]Report{}}
	for _, id := range x.Objects() {
		for _, cluster := range x.Of(id).Clusters() {
			v.Reports[cluster+": "+id.String()] = x.Of(id).In(cluster)
		}
	}
	for _, w := range x.Warnings() {
		v.Warnings = append(v.Warnings, w.Source.String()+": "+w.Text)
	}
	return v
}

var web = Identity{"apps", "v1", "Deployment", "deployments", "shop", "web"}

// workStatus is a WorkStatus about the Deployment shop/web, in one line, with more fields.
func workStatus(cluster, name, more string) string {
	return fmt.Sprintf(`{apiVersion: control.kubestellar.io/v1alpha1, kind: WorkStatus, metadata: {namespace: %q, name: %q},
spec: {sourceRef: {group: apps, version: v1, kind: Deployment, resource: deployments, namespace: shop, name: web}}%s}
---
`, cluster, name, more)
}

// manifestWork is a ManifestWork that reports about the Deployment shop/web.
func manifestWork(cluster, name, manifest string) string {
	return fmt.Sprintf(`{apiVersion: work.open-cluster-management.io/v1, kind: ManifestWork, metadata: {namespace: %q, name: %q},
status: {resourceStatus: {manifests: [{resourceMeta: {ordinal: 0, group: apps, version: v1, kind: Deployment, resource: deployments, namespace: shop, name: web}%s}]}}}
---
`, cluster, name, manifest)
}

func at(t testing.TB, text string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return when.UTC()
}
