package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// meteredControllers are the folders with metrics, and what runs them.
var meteredControllers = []struct{ folder, by string }{
	{"controllers/packagevariant", "waybill controller: PackageVariants"},
	{"controllers/repository", "waybill controller: Repositories"},
	{"controllers/combinedstatus", "waybill controller --status"},
	{"controllers/translation", "waybill controller --push-table"},
	{"controllers/mapcontroller", "waybill controller --map"},
	{"controllers/publishedresource", "waybill controller --sync-kubeconfig"},
}

// TestReferenceMetrics holds the page of metrics to the collectors that the code makes.
func TestReferenceMetrics(t *testing.T) {
	src := goSources{t: t, set: token.NewFileSet(), errorf: t.Errorf}
	found := map[string][]metric{} // by folder
	for _, file := range src.all("pkg", "controllers", "cmd") {
		found[path.Dir(file)] = append(found[path.Dir(file)], src.metrics(src.parse(file))...)
	}
	var page strings.Builder
	page.WriteString("# Metrics\n\n" + generatedPage + "The controller serves them at `--metrics-bind-address`, over HTTPS, to callers whose token may get `/metrics`. " +
		"Beside them are those of every controller: `workqueue_…`, `controller_runtime_…`, `rest_client_…`, `leader_election_…`.\n")
	for _, c := range meteredControllers {
		fmt.Fprintf(&page, "\n## %s\n\n| name | type | labels | shows |\n|---|---|---|---|\n", c.by)
		slices.SortFunc(found[c.folder], func(a, b metric) int { return strings.Compare(a.name, b.name) })
		for _, m := range found[c.folder] {
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s |\n", m.name, m.kind, m.labels, m.help)
		}
		if len(found[c.folder]) == 0 {
			t.Errorf("%s has no metric", c.folder)
		}
		delete(found, c.folder)
	}
	for folder, metrics := range found {
		for _, m := range metrics {
			t.Errorf("%s makes %s, and this test does not name the folder", folder, m.name)
		}
	}
	checkGolden(t, "../../docs/reference/metrics.md", page.String())
}

// metric is one collector.
type metric struct{ name, kind, labels, help string }

// metrics are the collectors that a file makes.
func (s goSources) metrics(f *ast.File) (out []metric) {
	named := map[string]ast.Expr{} // the values of constants and variables
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					named[name.Name] = n.Values[i]
				}
			}
		case *ast.AssignStmt:
			for i, name := range n.Lhs {
				if name, ok := name.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					named[name.Name] = n.Rhs[i]
				}
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		kind, makes := strings.CutPrefix(fun.Sel.Name, "New")
		pkg, ok := fun.X.(*ast.Ident)
		if !ok || !makes || pkg.Name != "prometheus" {
			return true
		}
		m := metric{kind: strings.ToLower(strings.TrimSuffix(kind, "Vec"))}
		if opts, ok := call.Args[0].(*ast.CompositeLit); ok {
			m.name, m.help = s.text(field(opts, "Name")), strings.ReplaceAll(s.text(field(opts, "Help")), "|", `\|`)
		}
		if strings.HasSuffix(kind, "Vec") {
			m.labels = s.labels(call.Args[1], named)
		}
		if !strings.HasPrefix(m.name, "waybill_") || m.help == "" {
			s.errorf("%s: a metric needs a name that begins with waybill_, and a help text: %+v", s.set.Position(n.Pos()), m)
		}
		out = append(out, m)
		return true
	})
	return out
}

func field(of *ast.CompositeLit, name string) ast.Expr {
	for _, e := range of.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == name {
			return kv.Value
		}
	}
	return nil
}

// text is the value of a text, or of a sum of texts.
func (s goSources) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return s.text(e.X) + s.text(e.Y)
	}
	return ""
}

func (s goSources) labels(e ast.Expr, named map[string]ast.Expr) string {
	value := func(e ast.Expr) ast.Expr {
		if name, ok := e.(*ast.Ident); ok {
			return named[name.Name]
		}
		return e
	}
	list, ok := value(e).(*ast.CompositeLit)
	if !ok {
		s.errorf("%s: labels of a metric must be a list of texts", s.set.Position(e.Pos()))
		return ""
	}
	var out []string
	for _, label := range list.Elts {
		text := s.text(value(label))
		if text == "" {
			s.errorf("%s: a label of a metric must be a text", s.set.Position(label.Pos()))
		}
		out = append(out, "`"+text+"`")
	}
	return strings.Join(out, ", ")
}
