package engine

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// File is a template of a chart. Its name has the path of the chart, as in Helm: web/templates/deployment.yaml,
// web/charts/db/templates/_helpers.tpl.
type File struct {
	Name string
	Data []byte
}

// Templates are the parsed templates of a chart and its dependencies. Several goroutines may render them at once.
type Templates struct {
	trees    map[string]*parse.Tree // by name, with guards
	files    []string               // in Helm's order, without partials
	uses     []string               // functions
	steady   map[string]bool        // see steadyAmong
	texts    textCache              // parsed texts for tpl
	machines sync.Pool
}

// Compile parses templates. Of templates with the same name the last one counts, in Helm's order of files: deep paths come first.
// Files of a library chart other than partials are not templates; leave them out. Errors have file and line.
func Compile(files []File) (*Templates, error) {
	ordered := slices.Clone(files)
	slices.SortStableFunc(ordered, inHelmsOrder)
	t := &Templates{trees: map[string]*parse.Tree{}}
	total, used := 0, map[string]bool{}
	for _, f := range ordered {
		if total += len(f.Data); total > maxSource {
			return nil, explainParse(f.Name, template.Refuse("all templates together have more than %d bytes", maxSource))
		}
		trees, err := parsed(f.Name, string(f.Data))
		if err != nil {
			return nil, explainParse(f.Name, err)
		}
		t.add(trees)
		if !strings.HasPrefix(path.Base(f.Name), "_") {
			t.files = append(t.files, f.Name)
		}
	}
	t.steady = steadyAmong(t.trees) // before guards are added
	for _, tree := range t.trees {
		guarded(tree, func(name string) { used[name] = true })
	}
	t.uses = functionsAmong(used)
	t.machines.New = func() any { return t.machine() }
	return t, nil
}

// inHelmsOrder compares files: deep paths come first, and among equally deep ones those that sort last.
func inHelmsOrder(a, b File) int {
	if depth := strings.Count(b.Name, "/") - strings.Count(a.Name, "/"); depth != 0 {
		return depth
	}
	return strings.Compare(b.Name, a.Name)
}

// parsed is what a text defines. It refuses one whose shape is beyond a limit.
func parsed(name, text string) (map[string]*parse.Tree, error) {
	if len(text) > MaxFile {
		return nil, template.Refuse("it is longer than %d bytes", MaxFile)
	}
	if nesting, _ := template.Nesting(text); nesting > maxNesting {
		return nil, fmt.Errorf("template: %s:%d: blocks and parentheses nest more than %d levels deep", name, tooDeep(text), maxNesting)
	}
	return parse.Parse(name, text, "", "", names())
}

// tooDeep is the first line with too much nesting.
func tooDeep(text string) int {
	lines := strings.SplitAfter(text, "\n")
	ends, end := make([]int, len(lines)), 0
	for i, line := range lines {
		end += len(line)
		ends[i] = end
	}
	return 1 + sort.Search(len(lines)-1, func(i int) bool {
		nesting, _ := template.Nesting(text[:ends[i]])
		return nesting > maxNesting
	})
}

// add adds the templates of a file. An empty one does not replace another.
func (t *Templates) add(trees map[string]*parse.Tree) {
	for name, tree := range trees {
		if t.trees[name] == nil || !parse.IsEmptyTree(tree.Root) {
			t.trees[name] = tree
		}
	}
}
