package html

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// sample is a fleet of clusters a to c, of which c receives nothing; what changes is a field of web, and a ConfigMap of b
// that goes.
func sample() *index.Index {
	word := func(s string) *string { return &s }
	return &index.Index{
		Policies: []string{"", "shop"},
		Objects: []index.Object{
			{Identity: index.Identity{ID: krm.ID{Kind: "ConfigMap", Namespace: "shop", Name: "gone"}}},
			{Identity: index.Identity{ID: krm.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}}, Texts: []string{"kind: Deployment\nreplicas: 3\nimage: web:1\n", "kind: Deployment\nreplicas: 5\nimage: web:1\n"}},
			{Identity: index.Identity{ID: krm.ID{Kind: "Namespace", Name: "shop"}}, Texts: []string{"kind: Namespace\n"}},
			{Identity: index.Identity{ID: krm.ID{Group: "work.open-cluster-management.io", Kind: "ManifestWork", Name: "shop-0"}, Itself: true}, Texts: []string{"kind: ManifestWork\n"}},
		},
		Clusters: []index.Cluster{
			{Name: "a", Labels: []string{"site=edge", "tier=prod"}, Loads: []index.Load{
				{Policy: 0, File: "clusters/a/ns.yaml", Items: []index.Item{{Object: 2}}},
				{Policy: 1, Work: "shop-0", File: "clusters/a/shop/w.yaml", Items: []index.Item{{Object: 1}, {Object: 3}}},
			}},
			{Name: "b", Labels: []string{"site=edge"}, Loads: []index.Load{
				{Policy: 1, Work: "shop-0", File: "clusters/b/shop/w.yaml", Items: []index.Item{{Object: 1, Text: 1}, {Object: 3}}},
			}},
			{Name: "c", Labels: []string{}},
		},
		Preview: &waybill.FleetPreview{
			Before: waybill.PreviewSide{Name: "HEAD", Clusters: 2, Objects: 4}, After: waybill.PreviewSide{Name: "work tree", Clusters: 2, Objects: 3},
			Summary: waybill.PreviewSummary{Clusters: 2, Changed: 2, Removed: 1},
			Risks: []waybill.PreviewRisk{
				{Name: "deleted", Level: "high", Says: "It goes.", Clusters: 1, Changes: 1}, {Name: "scaled", Level: "low", Says: "It grows.", Clusters: 1, Changes: 1},
			},
			Groups: []waybill.PreviewGroup{
				{Change: "removed", Object: waybill.PreviewObject{Kind: "ConfigMap", Namespace: "shop", Name: "gone"}, Level: "high", Risks: []string{"deleted"}, Clusters: 1,
					Shapes: []waybill.PreviewShape{{Risks: []string{"deleted"}, Clusters: []string{"b"}}}},
				{Change: "changed", Object: waybill.PreviewObject{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, Level: "low", Risks: []string{"scaled"}, Clusters: 2,
					Shapes: []waybill.PreviewShape{
						{Fields: []waybill.PreviewField{{Field: "spec.replicas", Change: "changed", From: word("1"), To: word("3")}}, Clusters: []string{"a"}},
						{Fields: []waybill.PreviewField{{Field: "spec.replicas", Change: "changed", From: word("1"), To: word("5")}}, Risks: []string{"scaled"}, Clusters: []string{"b"}},
					}},
			},
		},
	}
}

// hostile are names and values that mean something to some language.
var hostile = []string{
	"<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", `"'><svg onload=alert(1)>`, "{{.}}{{template \"x\"}}", "`${alert(1)}`",
	"line\u2028separator\u2029", "\u202egnp.exe\u2066", "<!--", "<!--<script>", "]]>", "\\u003c/script\\u003e", "\x00\x1b[2J\x7f", "\xff\xfe", "&lt;b&gt;", "javascript:alert(1)",
	strings.Repeat("x", 253), "", "🚢é\ufeff", "$&$1", "__proto__", "constructor",
}

// named is sample with everything, but for clusters a and b, called these words, and saying them.
func named(name, value string) *index.Index {
	a := sample()
	a.Policies[1] = name
	for i := range a.Objects {
		o := &a.Objects[i]
		o.Kind, o.Namespace, o.Name, o.Group = o.Kind+value, name, name, value
		for j := range o.Texts {
			o.Texts[j] += "v: " + value + "\n"
		}
	}
	for i := range a.Clusters {
		c := &a.Clusters[i]
		c.Labels = append(c.Labels, "k="+value)
		for j := range c.Loads {
			c.Loads[j].Work, c.Loads[j].File = name, "x/"+c.Name+"/"+name
		}
	}
	a.Clusters[2].Name = name
	p := a.Preview
	p.Before.Name, p.After.Name = name, value
	p.Risks[0].Says = value
	for i := range p.Groups {
		g := &p.Groups[i]
		o := &g.Object
		o.Kind, o.Namespace, o.Name, o.Group = o.Kind+value, name, name, value
		for j := range g.Shapes {
			for k := range g.Shapes[j].Fields {
				g.Shapes[j].Fields[k].Field, g.Shapes[j].Fields[k].To = name, &value
			}
		}
	}
	return a
}

func written(t testing.TB, a *index.Index, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, a, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// large is a fleet of works with so many objects, ten of which say something else in every cluster.
func large(clusters, objects, policies int) *index.Index {
	a := &index.Index{}
	for p := range policies {
		a.Policies = append(a.Policies, fmt.Sprintf("policy-%02d", p))
	}
	for i := range objects {
		o := index.Object{Identity: index.Identity{ID: krm.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: fmt.Sprintf("web-%03d", i)}}}
		for c := range max(1, clusters*min(1, 10/(i+1))) {
			o.Texts = append(o.Texts, fmt.Sprintf(deployment, i, i, c))
		}
		a.Objects = append(a.Objects, o)
	}
	for c := range clusters {
		row := index.Cluster{Name: fmt.Sprintf("edge-%05d", c), Labels: []string{fmt.Sprintf("site=s%d", c%40), "tier=prod"}}
		for p := range policies {
			l := index.Load{Policy: p, Work: "shop-git-0", File: fmt.Sprintf("clusters/%s/p%d/manifestwork-0.yaml", row.Name, p)}
			for i := p * objects / policies; i < (p+1)*objects/policies; i++ {
				l.Items = append(l.Items, index.Item{Object: i, Text: min(c, len(a.Objects[i].Texts)-1)})
			}
			row.Loads = append(row.Loads, l)
		}
		a.Clusters = append(a.Clusters, row)
	}
	return a
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: shop
  name: web-%d
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    spec:
      containers:
      - name: web
        image: mirror.example.com/web:1.%d
        env:
        - name: CLUSTER
          value: edge-%d
`
