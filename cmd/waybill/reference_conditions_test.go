package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/depcheck"
)

// conditionSetters are the kinds that have conditions, who sets them, and the files or folders that do it.
var conditionSetters = []struct{ kind, by, in string }{
	{"PackageVariant", "`waybill controller`; `waybill reconcile` prints them", "pkg/variant/conditions.go pkg/variant/reconciler/report.go controllers/packagevariant/status.go controllers/packagevariant/contest.go"},
	{"PackageVariantSet", "`waybill controller`; `waybill reconcile` prints them", "pkg/variant/variantset controllers/packagevariantset"},
	{"Repository", "`waybill controller`", "controllers/repository"},
	{"ChangeBudget", "`waybill controller`, after a pass that uses it", "controllers/packagevariant/budgets.go"},
	{"MapController", "`waybill controller --map`", "controllers/mapcontroller controllers/internal/live"},
	{"PublishedResource", "`waybill controller --sync-kubeconfig`", "controllers/publishedresource controllers/internal/live"},
	{"Binding", "`waybill controller --status`", "pkg/status"},
	{"Kptfile", "the function `inject-config`", "pkg/injection/outcome.go pkg/injection/point.go"},
}

// setsConditions finds files that make conditions.
var setsConditions = regexp.MustCompile(`\b(metav1\.Condition|kptfilev1\.Condition|live\.Fault)\{`)

// TestReferenceConditions holds the page of conditions to the constants that the code of each kind uses, and to their comments.
func TestReferenceConditions(t *testing.T) {
	src := goSources{t: t, errorf: t.Errorf, set: token.NewFileSet(), constants: map[string]map[string]constant{}}
	var page strings.Builder
	page.WriteString("# Conditions\n\n" + generatedPage + "What `status.conditions` say, by kind. `kubectl wait --for=condition=Ready` waits for a condition.\n")
	seen := map[string]bool{}
	for _, s := range conditionSetters {
		used := map[string]constant{}
		for _, where := range strings.Fields(s.in) {
			for _, file := range src.files(where) {
				seen[file] = true
				maps.Copy(used, src.used(src.parse(file), path.Dir(file)))
			}
		}
		fmt.Fprintf(&page, "\n## %s\n\nSet by %s.\n", s.kind, s.by)
		for _, table := range []string{"condition", "reason"} {
			var rows []string
			for name, c := range used {
				if strings.HasPrefix(strings.ToLower(name), table) {
					rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", c.value, c.meaning(t, name)))
				}
			}
			if rows == nil {
				t.Errorf("%s: no %s was found", s.kind, table)
			}
			slices.Sort(rows)
			page.WriteString("\n| " + table + " | means |\n|---|---|\n" + strings.Join(rows, ""))
		}
	}
	checkGolden(t, "../../docs/reference/conditions.md", page.String())
	for _, file := range src.all("pkg", "controllers", "cmd") {
		if setsConditions.MatchString(src.read(file)) && !seen[file] {
			t.Errorf("%s makes conditions, and no kind of this test names it", file)
		}
	}
}

var conditionConstant = regexp.MustCompile(`^(Condition|Reason|reason)[A-Z]`)

// used are the constants of conditions and reasons that a file of a folder uses. Other texts as types and reasons of conditions are errors.
func (s goSources) used(f *ast.File, folder string) map[string]constant {
	out, imports := map[string]constant{}, map[string]string{}
	for _, i := range f.Imports {
		at, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(at)
		if i.Name != nil {
			name = i.Name.Name
		}
		if ours, ok := strings.CutPrefix(at, depcheck.Module+"/"); ok {
			imports[name] = ours
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok != token.CONST
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if !ok || !conditionConstant.MatchString(n.Sel.Name) || imports[pkg.Name] == "" || imports[pkg.Name] == "pkg/injection" || imports[pkg.Name] == "pkg/applyset" {
				return true // what is injected is in the Kptfile; results of package applyset are no conditions
			}
			s.add(out, imports[pkg.Name], n.Sel.Name)
			return false
		case *ast.Ident:
			if conditionConstant.MatchString(n.Name) {
				s.add(out, folder, n.Name)
			}
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			if text, literal := n.Value.(*ast.BasicLit); ok && literal && (key.Name == "Reason" || key.Name == "Type") {
				s.errorf("%s: %s: a type or reason of a condition must be a constant with a comment", s.set.Position(n.Pos()), text.Value)
			}
		case *ast.AssignStmt:
			s.checkAssignment(n)
		}
		return true
	})
	return out
}

func (s goSources) checkAssignment(n *ast.AssignStmt) {
	for i, to := range n.Lhs {
		field, ok := to.(*ast.SelectorExpr)
		if ok && len(n.Rhs) == len(n.Lhs) && field.Sel.Name == "Reason" {
			if text, literal := n.Rhs[i].(*ast.BasicLit); literal {
				s.errorf("%s: %s: a reason of a condition must be a constant with a comment", s.set.Position(n.Pos()), text.Value)
			}
		}
	}
}

// add looks up a constant of a folder. A name that is none there is a type or variable.
func (s goSources) add(to map[string]constant, folder, name string) {
	if s.constants[folder] == nil {
		s.constants[folder] = map[string]constant{}
		for _, file := range s.files(folder) {
			maps.Copy(s.constants[folder], constantsOf(s.parse(file)))
		}
	}
	if c, ok := s.constants[folder][name]; ok {
		to[name] = c
	}
}

// TestConditionConstants refuses texts in the place of constants.
func TestConditionConstants(t *testing.T) {
	for name, body := range map[string]string{
		"Literal":  `_ = metav1.Condition{Type: waybill.ConditionReady, Reason: "Oops"}`,
		"Type":     `_ = []metav1.Condition{{Type: "Oops", Reason: waybill.ReasonValid}}`,
		"Assigned": `c.Status, c.Reason = metav1.ConditionTrue, "Oops"`,
	} {
		var errs []string
		src := goSources{t: t, set: token.NewFileSet(), constants: map[string]map[string]constant{},
			errorf: func(format string, args ...any) { errs = append(errs, fmt.Sprintf(format, args...)) }}
		text := "package x\nimport \"github.com/waybill-dev/waybill/pkg/api/waybill\"\nfunc f(c *metav1.Condition) { " + body + " }"
		f, err := parser.ParseFile(src.set, "x.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		src.used(f, "pkg/api/waybill")
		if len(errs) != 1 || !strings.Contains(errs[0], `"Oops"`) {
			t.Errorf("%s: %q", name, errs)
		}
	}
}
