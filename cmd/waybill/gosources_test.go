package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// constant is a text or number, and its comment.
type constant struct{ value, doc string }

// meaning is what the comment says behind the name.
func (c constant) meaning(t *testing.T, name string) string {
	text := strings.Join(strings.Fields(c.doc), " ")
	for _, begin := range []string{name + ": ", name + " is "} {
		if rest, ok := strings.CutPrefix(text, begin); ok && rest != "" {
			return strings.ReplaceAll(strings.ToUpper(rest[:1])+rest[1:], "|", `\|`)
		}
	}
	t.Errorf("the comment of %s must begin with %q or %q: %q", name, name+": ", name+" is ", text)
	return ""
}

// goSources reads Go files of the repository.
type goSources struct {
	t         *testing.T
	errorf    func(format string, args ...any)
	set       *token.FileSet
	constants map[string]map[string]constant // by folder, then name
}

// files are a file, or the files of a folder without its tests.
func (s goSources) files(where string) (out []string) {
	if path.Ext(where) == ".go" {
		return []string{where}
	}
	entries, err := os.ReadDir(filepath.Join("../..", where))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		if isSource(e.Name()) {
			out = append(out, path.Join(where, e.Name()))
		}
	}
	return out
}

func (s goSources) all(folders ...string) (out []string) {
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS("../.."), folder, func(file string, d fs.DirEntry, err error) error {
			if err == nil && isSource(d.Name()) {
				out = append(out, file)
			}
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return out
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

func (s goSources) read(file string) string {
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s goSources) parse(file string) *ast.File {
	f, err := parser.ParseFile(s.set, filepath.Join("../..", file), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

func constantsOf(f *ast.File) map[string]constant {
	out := map[string]constant{}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, spec := range decl.Specs {
			v := spec.(*ast.ValueSpec)
			doc := v.Doc
			if doc == nil && !decl.Lparen.IsValid() {
				doc = decl.Doc
			}
			for i, name := range v.Names {
				if i < len(v.Values) {
					if literal, ok := v.Values[i].(*ast.BasicLit); ok {
						value, err := strconv.Unquote(literal.Value)
						if err != nil { // a number
							value = literal.Value
						}
						out[name.Name] = constant{value, doc.Text()}
					}
				}
			}
		}
	}
	return out
}
