package upstream_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/helm/helmtest"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const chartTemplate = `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  size: {{ .Values.size | quote }}
  version: {{ .Chart.Version | quote }}
`

const chartConfig = `-- web.yaml --
apiVersion: fn.kpt.dev/v1alpha1
kind: RenderHelmChart
metadata:
  name: web
  annotations:
    config.kubernetes.io/local-config: "true"
helmCharts:
- chartArgs:
    name: web
    version: 1.0.0
    repo: https://charts.example
  templateOptions:
    releaseName: web
`

// locked is a package with the charts that its configs name. The size that they render is their minor version.
func locked(t testing.TB, tree pkgtree.Tree) pkgtree.Tree {
	t.Helper()
	res, err := lock.Update(t.Context(), tree, lock.Options{Fetch: func(_ context.Context, r fetch.Request) (*fetch.Archive, error) {
		var minor int
		_, err := fmt.Sscanf(r.Version, "1.%d.0", &minor)
		data := helmtest.Archive(r.Name, r.Version, map[string]string{"values.yaml": fmt.Sprintf("size: %d\n", minor), "templates/web.yaml": chartTemplate})
		return &fetch.Archive{Version: r.Version, Digest: chart.Digest(data), Data: data}, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Tree
}

// TestChartEdits merges local edits of what a chart rendered, and of the chart's version, with an upstream that holds another version
// or another object.
func TestChartEdits(t *testing.T) {
	base := locked(t, archive(t, kptfileOf("render-helm-chart @web.yaml", "set-labels tier=gold")+chartConfig+settings))
	version := func(v string) edit { return edit{"web.yaml", "version: 1.0.0", "version: " + v} }
	const made = "helm/web/configmap_web.yaml"
	for name, tc := range map[string]struct {
		reason    string
		ours      []edit // before the render, and
		after     []edit // after it
		theirs    []edit
		conflicts []string
		want      string // of what the chart rendered
	}{
		"another field": {
			reason: "an edit stays", after: []edit{{made, "data:\n", "data:\n  mine: here\n"}}, theirs: []edit{version("1.1.0")},
			want: "data:\n  mine: here\n  size: \"1\"\n  version: \"1.1.0\"\n",
		},
		"the same field": {
			reason: "a conflict has the three values", after: []edit{{made, `size: "0"`, `size: "7"`}}, theirs: []edit{version("1.1.0")},
			conflicts: []string{made + ` ConfigMap data.size: "0", "1", "7": "7"`}, want: "data:\n  size: \"7\"\n  version: \"1.1.0\"\n",
		},
		"a version of our own": {
			reason: "the old and the new upstream render with our chart, which they do not hold", ours: []edit{version("1.5.0")},
			after:  []edit{{made, "data:\n", "data:\n  mine: here\n"}},
			theirs: []edit{{"settings.yaml", "web:v1", "web:v2"}}, want: "data:\n  mine: here\n  size: \"5\"\n  version: \"1.5.0\"\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := triple{base, locked(t, edited(t, base, tc.theirs...)), edited(t, got(t, locked(t, edited(t, base, tc.ours...))), tc.after...)}
			res := x.merged(t, merge.Local)
			if diff := cmp.Diff(tc.conflicts, lines(res.Conflicts)); diff != "" {
				t.Errorf("%s: conflicts (-want +got):\n%s", tc.reason, diff)
			}
			again := rendered(t, res.Tree)
			sameTrees(t, tc.reason+": a render keeps the merge", res.Tree, again)
			text, _ := again.Get(made)
			if !strings.HasSuffix(string(text), tc.want) {
				t.Errorf("%s: want at its end:\n%s\ngot:\n%s", tc.reason, tc.want, text)
			}
			checkRenderedLaws(t, x)
		})
	}
}
