// Package mutators_test holds the functions whose config may ask for more with every run, and those
// that read comments, to the laws on whatever can be read.
package mutators_test

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/deleteannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
	"github.com/waybill-dev/waybill/pkg/mutators/enforcement"
	"github.com/waybill-dev/waybill/pkg/mutators/folders"
	"github.com/waybill-dev/waybill/pkg/mutators/localconfig"
	"github.com/waybill-dev/waybill/pkg/mutators/replacements"
	"github.com/waybill-dev/waybill/pkg/mutators/schema"
	"github.com/waybill-dev/waybill/pkg/mutators/searchreplace"
	"github.com/waybill-dev/waybill/pkg/mutators/setters"
	"github.com/waybill-dev/waybill/pkg/mutators/upsert"
)

var functions = []*fn.Function{
	setters.Function, searchreplace.Function, replacements.Function, upsert.Function, schema.Function,
	setters.Create, setters.List, folders.Function, deleteannotations.Function, enforcement.Function, localconfig.Function,
}

// stable are those that change nothing in a second run, whatever their config is.
var stable = []*fn.Function{
	upsert.Function, schema.Function, setters.List, folders.Function, deleteannotations.Function, enforcement.Function, localconfig.Function,
}

// FuzzLaws gives every function any config and any objects: none may panic or hang, and the laws
// about one run hold. Comments may be lost: what carries one may be replaced.
func FuzzLaws(f *testing.F) {
	for i, function := range functions {
		for _, parts := range goldenCases(f, function.Name) {
			f.Add(uint8(i), parts["config.yaml"], parts["in.yaml"])
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, config, items []byte) {
		in := &fn.Input{Items: read(items)}
		if configs := read(config); len(configs) == 1 {
			in.Config = configs[0]
		}
		var lost []string
		for i, o := range in.Items {
			o.SetPath("in.yaml", i)
			lost = append(lost, o.Comments()...)
		}
		function := functions[int(which)%len(functions)]
		differs := fntest.CheckLawsOfOneRun(t, function, in, lost)
		wasSecret := slices.ContainsFunc(in.Items, func(o *krm.Object) bool { return edit.HoldsSecret(edit.Copy(o).Node()) })
		if differs && (function == setters.Function && !wasSecret || slices.Contains(stable, function)) {
			t.Errorf("%s changes something in a second run", function.Name)
		}
	})
}

func goldenCases(f testing.TB, function string) (cases []map[string][]byte) {
	f.Helper()
	files, err := filepath.Glob("../../functions/" + function + "/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no golden cases of %s to begin with (%v)", function, err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := map[string][]byte{}
		for _, part := range ar.Files {
			parts[part.Name] = part.Data
		}
		cases = append(cases, parts)
	}
	return cases
}

// read is what can be read of data.
func read(data []byte) []*krm.Object {
	objs, err := krm.Read("in.yaml", data, krm.Limits{})
	if err != nil {
		return nil // refused before any function sees it
	}
	for _, o := range objs {
		o.Source = krm.Source{}
	}
	return objs
}
