package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

var functions = []*fn.Function{
	setlabels.Function, setannotations.Function, setnamespace.Function, setimage.Function, namesubstring.Function,
}

// FuzzLaws runs every function with any valid YAML as a config and as objects: none may panic or
// hang, and the laws hold, whether it refuses or not.
func FuzzLaws(f *testing.F) {
	for i, function := range functions {
		cases, err := filepath.Glob("../../../functions/" + function.Name + "/testdata/*.txtar")
		if err != nil || len(cases) == 0 {
			f.Fatalf("no golden cases of %s to begin with (%v)", function.Name, err)
		}
		for _, file := range cases {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				f.Fatal(err)
			}
			parts := map[string][]byte{}
			for _, part := range ar.Files {
				parts[part.Name] = part.Data
			}
			f.Add(uint8(i), parts["config.yaml"], parts["in.yaml"])
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, config, items []byte) {
		in := &fn.Input{Items: readAll(items)}
		if configs := readAll(config); len(configs) == 1 {
			in.Config = configs[0]
		}
		for i, o := range in.Items {
			o.SetPath("in.yaml", i)
		}
		fntest.CheckLaws(t, functions[int(which)%len(functions)], in, nil)
	})
}

// readAll is what can be read of data, without comments: where those stand after they were written
// and read again is the business of YAML, and of the golden cases.
func readAll(data []byte) []*krm.Object {
	objs, err := krm.Read("in.yaml", data, krm.Limits{})
	if err != nil {
		return nil // refused before any function sees it
	}
	for _, o := range objs {
		o.Source = krm.Source{}
		dropComments(o.Node())
	}
	return objs
}

func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		dropComments(c)
	}
}

var benchConfigs = map[string]string{
	"set-labels":            "{env: prod, team: front}",
	"set-annotations":       "{owner: front}",
	"set-namespace":         "{namespace: new}",
	"set-image":             "{name: nginx, newTag: v2}",
	"ensure-name-substring": "{prepend: prod-}",
}

// BenchmarkChange times each function on a thousand objects of which it changes most.
func BenchmarkChange(b *testing.B) {
	one, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		b.Fatal(err)
	}
	in := &fn.Input{}
	for len(in.Items) < 1000 {
		suffix := "-" + strings.Repeat("x", 1+len(in.Items)%40) + string(rune('a'+len(in.Items)/40))
		for _, o := range fntest.Parse(b, "shop.yaml", []byte(strings.ReplaceAll(string(one), "NAME", "web"+suffix))) {
			o.SetPath("shop"+suffix+".yaml", 0)
			in.Items = append(in.Items, o)
		}
	}
	for _, function := range functions {
		b.Run(function.Name, func(b *testing.B) {
			in := &fn.Input{Items: in.Items, Config: fntest.Parse(b, "config", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: "+benchConfigs[function.Name]+"\n"))[0]}
			fntest.CheckLaws(b, function, in, nil)
			b.ReportAllocs()
			for b.Loop() {
				function.Apply(b.Context(), in)
			}
			b.ReportMetric(float64(len(in.Items))*float64(b.N)/b.Elapsed().Seconds(), "resources/s")
		})
	}
}
