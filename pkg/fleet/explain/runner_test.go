package explain

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// protocolRunner runs linked functions through the protocol, as a container would, and lets change tamper with what they give.
type protocolRunner struct {
	change func(function string, items []*krm.Object)
}

func (e protocolRunner) Prepare(_ context.Context, f *kptfilev1.Function) (runner.Runner, error) {
	linked := *catalog.ByImage(f.Image)
	run := linked.Run
	linked.Run = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := run(ctx, in)
		if err == nil && e.change != nil {
			e.change(linked.Name, out.Items)
		}
		return out, err
	}
	return protocolFunction{&linked}, nil
}

type protocolFunction struct{ f *fn.Function }

func (protocolFunction) Kind() string { return "wired" }

func (w protocolFunction) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		var stdout, stderr bytes.Buffer
		code := w.f.Serve(ctx, nil, bytes.NewReader(stdin), &stdout, &stderr)
		return stdout.Bytes(), stderr.Bytes(), code, nil
	})
}

func renderedBy(t *testing.T, f runner.Factory, files map[string][]byte) *Snapshot {
	t.Helper()
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	result, err := render.Render(t.Context(), tree, render.Options{Functions: f, Name: "shop", Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewSnapshot("pkg", result.Tree, nil, []Package{{Result: result}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// caseFiles are the files of a golden case.
func caseFiles(t *testing.T, name string) map[string][]byte {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range archive.Files {
		if f.Name != "questions" && f.Name != "answers" {
			files[f.Name] = f.Data
		}
	}
	return files
}

// TestHoweverFunctionsRun wants the same explanations of functions that run in the program and of those that do not.
func TestHoweverFunctionsRun(t *testing.T) {
	files := caseFiles(t, "fields")
	linked, protocolFunction := rendered(t, "pkg", files), renderedBy(t, protocolRunner{}, files)
	compared := 0
	for _, question := range []string{"bern", "bern/deployment/shop/web", "bern/configmap/shop/texts", "bern/configmap/shop/injected", "bern/configmap/made", "bern/secret/shop/token", "bern/configmap/shop/none"} {
		want, _ := ask(t, linked, question, strings.Contains(question, "/"))
		got, _ := ask(t, protocolFunction, question, strings.Contains(question, "/"))
		for i := range want.Fields {
			for j := range want.Fields[i].Steps {
				if f := want.Fields[i].Steps[j].Function; f != nil {
					f.Linked = ""
					compared++
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-linked +not):\n%s", question, diff)
		}
	}
	if compared < 10 {
		t.Errorf("%d functions compared: too few to tell much", compared)
	}
}

// TestAnotherRelease wants no more to be said of a bundler that does not do what ours does than that it made the work.
func TestAnotherRelease(t *testing.T) {
	stamp := func(function string, items []*krm.Object) {
		for i, o := range items {
			if function != "bundle-manifestwork" || o.Kind() != "ManifestWork" {
				continue
			}
			items[i] = o.DeepCopy()
			for _, n := range items[i].Lookup("spec", "workload", "manifests").Content {
				krm.SetField(krm.Lookup(n, "metadata"), "generateName", krm.StringNode("stamped"))
			}
		}
	}
	w := renderedBy(t, protocolRunner{stamp}, caseFiles(t, "fields"))
	checkPresent(t, w, "bern")
	x, _ := ask(t, w, "bern/deployment/shop/web#spec.replicas", false)
	if x.Deliveries[0].Policy != "all" || x.Deliveries[0].BindingFile != "pkg/bindings/all.yaml" {
		t.Errorf("its Binding says by which policy it comes: %+v", x.Deliveries[0])
	}
	value := "5"
	want := []waybill.ExplainedStep{{Deed: deedMade, Value: &value, Function: &waybill.ExplainedFunction{
		Name: "bundle-manifestwork", Image: "ghcr.io/waybill-dev/bundle-manifestwork:v0.1.0", Place: &waybill.ExplainedPlace{File: "pkg/Kptfile", Line: 19}}}}
	if diff := cmp.Diff(want, x.Fields[0].Steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
