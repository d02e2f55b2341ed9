package engine

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Options say what templates may know beside their values.
type Options struct {
	// Seed replaces chance: functions such as randAlphaNum draw what follows from Seed, the file that is rendered, the arguments
	// and how often the file called them before. Who can read Seed and the chart knows these "random" values, so they are no secrets.
	// Empty: such functions are refused.
	Seed string
	// Now is the time of now and ago. Zero: they are refused.
	Now time.Time
}

// Render fills in every file that is no partial, and gives the texts by file name. values gives the top-level dot of a file:
// Values, Chart, Release, Capabilities, Files (of type Files) and Subcharts; files of one chart should get the same map. The
// engine sets Template. What values gives is not changed. Errors are of type *Error.
func (t *Templates) Render(values func(name string) map[string]any, o Options) (map[string]string, error) {
	r := t.machines.Get().(*run)
	defer t.machines.Put(r)
	r.begin(o)
	defer r.end()
	rendered, size, dots := make(map[string]string, len(t.files)), 0, newCopier()
	for _, name := range t.files {
		text, err := r.file(name, dots.dot(values(name)))
		if err != nil {
			return nil, explain(name, err)
		}
		if size += len(text); size > maxOutput {
			return nil, explain(name, template.Refuse("the result of all templates together has more than %d bytes", maxOutput))
		}
		rendered[name] = text
	}
	return rendered, nil
}

// run is the state of one Render. Its functions belong to it, so it serves one goroutine at a time.
type run struct {
	budget
	memo
	t       *Templates
	options Options
	current string         // that is being rendered
	dot     uintptr        // which map its top level is
	chances map[string]int // how often random functions were called, by function and arguments
	scope   *scope
	root    *scope
	spare   [][]byte // buffers for texts
}

func (t *Templates) machine() *run {
	r := &run{t: t}
	r.root = r.newScope(t.trees, t.uses)
	return r
}

func (r *run) begin(o Options) {
	r.budget, r.memo, r.options, r.chances, r.scope = newBudget(), newMemo(), o, map[string]int{}, r.root
}

func (r *run) end() { r.memo, r.options, r.chances, r.spare = memo{}, Options{}, nil, nil }

// file renders one file. A function that panics is an error, as text/template has it.
func (r *run) file(name string, dot map[string]any) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	dot["Template"] = map[string]any{"Name": name, "BasePath": basePath(name)}
	r.current, r.dot, r.calls = name, reflect.ValueOf(dot).Pointer(), 0
	text, err = r.execute(r.scope.linked.Lookup(name), dot)
	return withoutNoValue(text), err
}

// withoutNoValue is a text without what text/template writes for a missing value.
func withoutNoValue(text string) string { return strings.ReplaceAll(text, "<no value>", "") }

// basePath is the folder templates of a file's chart.
func basePath(name string) string {
	parts := strings.Split(name, "/")
	n := 1
	for n+1 < len(parts) && parts[n] == "charts" {
		n += 2
	}
	return strings.Join(append(parts[:min(n, len(parts)):min(n, len(parts))], "templates"), "/")
}
