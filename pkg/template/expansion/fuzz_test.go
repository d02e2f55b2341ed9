package expansion

import (
	"path/filepath"
	"strings"
	"testing"
	"text/template/parse"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template"
)

// levels is how deep blocks and parentheses nest in what the parser made.
func levels(n parse.Node, arg bool) int {
	own := 0
	switch n.(type) {
	case *parse.IfNode, *parse.RangeNode, *parse.WithNode:
		own = 1
	case *parse.PipeNode:
		if arg {
			own = 1
		}
	}
	deepest := 0
	_, inCommand := n.(*parse.CommandNode)
	_, inChain := n.(*parse.ChainNode)
	template.Children(n, func(c parse.Node) { deepest = max(deepest, levels(c, inCommand || inChain)) })
	return own + deepest
}

// declarations is in how many places n declares variables.
func declarations(n parse.Node) (places int) {
	template.Walk(n, func(n parse.Node) {
		if p, ok := n.(*parse.PipeNode); ok && len(p.Decl) > 0 && !p.IsAssign {
			places++
		}
	})
	return places
}

// checkScan holds for every text: scan sees no less than the parser.
func checkScan(t testing.TB, text string) {
	t.Helper()
	if len(text) > 10_000 {
		return // the parser is not protected here
	}
	trees, err := parse.Parse("x", text, "", "", builtins)
	if err != nil {
		return
	}
	nesting, declared := template.Nesting(text)
	places := 0
	for _, tree := range trees {
		places += declarations(tree.Root)
		if got := levels(tree.Root, false); got > nesting {
			t.Errorf("law broken: the parser found %d levels, scan only %d in %q", got, nesting, text)
		}
	}
	if places > declared {
		t.Errorf("law broken: the parser found %d declarations, scan only %d in %q", places, declared, text)
	}
}

// goldenTemplates are the templates of the golden cases of bundle-manifestwork.
func goldenTemplates(t testing.TB) (found []string) {
	t.Helper()
	files, err := filepath.Glob("../../../functions/bundle-manifestwork/testdata/template-*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range ar.Files {
			if part.Name == "in.yaml" {
				found = append(found, templatesIn(part.Data)...)
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("the golden cases hold no template")
	}
	return found
}

// templatesIn are the templates of the objects in data; a case may be about data that cannot be read.
func templatesIn(data []byte) (found []string) {
	objs, err := krm.Read("in.yaml", data, krm.Limits{})
	if err != nil {
		return nil
	}
	for _, o := range objs {
		if tmpl, err := Compile(o, Ref(o)); err == nil && tmpl != nil {
			for _, l := range tmpl.leaves {
				found = append(found, l.text)
			}
		}
	}
	return found
}

// FuzzExpand holds whatever anybody may write as a template to the laws: it ends in time and within
// its bounds, and where guards let it pass it gives what text/template gives.
func FuzzExpand(f *testing.F) {
	for _, tc := range hostile {
		if len(tc.text) < 1000 {
			f.Add(tc.text, "v", uint8(tc.props))
		}
	}
	for _, text := range goldenTemplates(f) {
		f.Add(text, "v", uint8(3))
	}
	for _, text := range []string{
		`{{$x := .n}}{{/* c */}}{{with .site}}{{.}}{{$x}}{{end}}`, `{{block "u" .}}<{{.n}}>{{end}}`,
		`{{"{{"}} $labels.x }}`, `{{- "x" -}}  {{.v}}`, `{{else if}}{{end}}`, "{{`}}`}}", `{{'}'}}`, `{{index . "v" | html | js}}`,
		`{{printf "%[3]*.[2]*[1]f" 12.0 2 6}}`, `{{eq .v .n "a" nil}}`, `{{lt 1 2.0}}`, `{{slice .v 1 2 3}}`, `{{call .v}}`, `{{1i}}`, `{{-1}}`,
	} {
		f.Add(text, "v", uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, value string, n uint8) {
		text, value = strings.ToValidUTF8(text, ""), strings.ToValidUTF8(value, "") // YAML holds nothing else
		p := manyProps(int(n))
		p["v"], p["clusterName"] = value, "edge1"
		checkScan(t, text)
		checkLaws(t, withText("{{/**/}}"+text), "edge1", p)
	})
}
