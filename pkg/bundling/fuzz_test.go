package bundling

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzBundle runs the whole function on random packages. The output obeys the
// laws and OCM, in a time and with a size in proportion to the input; if it fails nothing changes.
func FuzzBundle(f *testing.F) {
	for _, file := range goldenCases(f) {
		config, items := goldenInput(f, file)
		f.Add(config, items)
	}
	f.Fuzz(func(t *testing.T, config, items string) {
		in, sane := readInput(config, items, shortBounds)
		if !sane {
			return // what no reader takes no function sees
		}
		const limit = 5 * time.Second
		start := time.Now()
		out := Function.Apply(context.Background(), in)
		if took := time.Since(start); took > limit {
			t.Fatalf("took %v", took)
		}
		if out.Failed() && !slices.Equal(in.Items, out.Items) {
			t.Error("a run that failed changed the items")
		}
		if !out.Failed() {
			checkOutputSize(t, in, out)
		}
		if !strings.Contains(items, "{{") || len(items) < 4<<10 { // templates may be slow by intent, within bounds
			fntest.CheckLaws(t, ocmcheck.Watch(t, Function), in, commentsOfWorks(in.Items))
		}
	})
}

// goldenCases are the files of all golden cases of the function.
func goldenCases(t testing.TB) []string {
	files, err := filepath.Glob("../../functions/bundle-manifestwork/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden cases (%v)", err)
	}
	return files
}

func goldenInput(t testing.TB, file string) (config, items string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		switch f.Name {
		case "in.yaml":
			items = string(f.Data)
		case "config.yaml":
			config = string(f.Data)
		}
	}
	return config, items
}

// shortBounds keep one run short.
var shortBounds = krm.Limits{Bytes: 32 << 10, Documents: 40, Depth: 40, Nodes: 4000, Aliased: 1000}

// readInput reads within bounds. What cannot be sent to a function is no input for one.
func readInput(config, items string, bounds krm.Limits) (*fn.Input, bool) {
	objs, err := krm.Read("in.yaml", []byte(items), bounds)
	if err != nil {
		return nil, false
	}
	configs, err := krm.Read("config.yaml", []byte(config), bounds)
	if err != nil || len(configs) > 1 {
		return nil, false
	}
	in := &fn.Input{Items: objs}
	for i, o := range in.Items {
		o.SetPath(o.File(), i)
	}
	if len(configs) == 1 {
		in.Config = configs[0]
	}
	_, err = (&fn.List{Items: in.Items, Config: in.Config}).Write()
	return in, err == nil
}

// checkOutputSize: without templates works take no more than their objects do, times the clusters of
// all Bindings and the works that may hand objects over, with room for indentation, escapes and rules. With templates there are bounds of
// their own, and one for each cluster.
func checkOutputSize(t *testing.T, in *fn.Input, out *fn.Output) {
	copies, objects, largest := len(madeWorks(in.Items)), 0, 0
	for _, o := range in.Items {
		data, err := krm.CanonicalJSON(o.Node())
		if err != nil {
			continue // and cannot ship
		}
		objects, largest = objects+1, largest+len(data)
		if list := o.Lookup("spec", "destinations"); list != nil {
			copies += len(list.Content)
		}
	}
	const rules, stretch, template = 8 << 10, 50, 16 << 20
	bound := copies * objects * (rules + stretch*largest)
	if strings.Contains(textOf(t, in.Items), "{{") {
		bound += copies * objects * template
	}
	if got := len(textOf(t, madeWorks(out.Items))); got > bound {
		t.Errorf("%d clusters and %d objects of %d bytes became %d bytes", copies, objects, largest, got)
	}
}

func madeWorks(items []*krm.Object) []*krm.Object {
	return slices.DeleteFunc(ocmcheck.Works(items), func(o *krm.Object) bool { return o.Annotation(fn.GeneratedBy) != naming.Function })
}

func textOf(t testing.TB, items []*krm.Object) string {
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// commentsOfWorks are those that a work may lose when it is rewritten.
func commentsOfWorks(items []*krm.Object) (lost []string) {
	for _, o := range madeWorks(items) {
		lost = append(lost, o.Comments()...)
	}
	return lost
}
