package lazyregexp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestRegexp(t *testing.T) {
	r := New(`(a)(b+)`)
	if !r.MatchString("xabb") || r.MatchString("x") || r.String() != `(a)(b+)` {
		t.Error("it does not match what it should")
	}
	if got := r.ReplaceAllString("abb ab", "$2$1"); got != "bba ba" {
		t.Errorf("got %q", got)
	}
	bad := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("the first use of a wrong expression does not panic")
		}
	}()
	bad.MatchString("")
}

// TestSources compiles every expression in pkg and cmd that is a constant, and finds no variable of a package that is compiled at
// the start of every program.
func TestSources(t *testing.T) {
	compiled := 0
	for _, top := range []string{"../../pkg", "../../cmd"} {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (isForTests(path) || d.Name() == "testdata") {
				return skip(err)
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			compiled += checkFile(t, path, file)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if compiled < 40 {
		t.Errorf("only %d expressions were found", compiled)
	}
}

func skip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// isForTests are folders that no program of a user links.
func isForTests(path string) bool {
	for _, folder := range []string{"pkg/testenv", "pkg/oci/ocitest", "pkg/fn/fntest", "pkg/gitrepo/gittest", "generate"} {
		if strings.HasSuffix(filepath.ToSlash(path), folder) {
			return true
		}
	}
	return false
}

func checkFile(t *testing.T, path string, file *ast.File) (compiled int) {
	for _, decl := range file.Decls {
		vars, ok := decl.(*ast.GenDecl)
		if !ok || vars.Tok != token.VAR {
			continue
		}
		for _, spec := range vars.Specs {
			for _, value := range spec.(*ast.ValueSpec).Values {
				compiled += checkValue(t, path, value)
			}
		}
	}
	return compiled
}

func checkValue(t *testing.T, path string, value ast.Expr) int {
	call, ok := value.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return 0
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	switch from, _ := f.X.(*ast.Ident); {
	case from == nil:
	case from.Name == "regexp":
		t.Errorf("%s: regexp.%s of a variable runs at every start: use lazyregexp.New", path, f.Sel.Name)
	case from.Name == "lazyregexp":
		return compile(t, path, call.Args[0])
	}
	return 0
}

// compile compiles a literal; other expressions are for the tests of their packages.
func compile(t *testing.T, path string, arg ast.Expr) int {
	literal, ok := arg.(*ast.BasicLit)
	if !ok {
		return 0
	}
	text, err := strconv.Unquote(literal.Value)
	if err == nil {
		_, err = regexp.Compile(text)
	}
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return 1
}
