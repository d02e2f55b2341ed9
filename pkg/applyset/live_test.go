package applyset_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestOwnerReferences(t *testing.T) {
	withUID := func(uid string) string {
		return strings.Replace(sourceA, "namespace: n}", "namespace: n, uid: "+uid+"}", 1)
	}
	live := func(items []*krm.Object) *applyset.Plan {
		plan, err := applyset.Run(t.Context(), applyset.View{Items: items, Live: true}, []applyset.Edge{edge(items)})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	references := func(plan *applyset.Plan) string {
		for _, o := range plan.Items {
			if o.Kind() == "Out" {
				return canonical(t, o.Lookup("metadata", "ownerReferences"))
			}
		}
		return "no output"
	}
	want := `[{"apiVersion":"test.dev/v1","blockOwnerDeletion":true,"controller":true,"kind":"Source","name":"a","uid":"u1"}]`
	first := live(read(t, withUID("u1")))
	if d := cmp.Diff(want, references(first)); d != "" {
		t.Errorf("a live output refers to its owner (-want +got):\n%s", d)
	}
	if got := references(live(read(t, strings.Replace(withUID("u1"), "namespace: n,", "namespace: other,", 1)))); got != "" {
		t.Errorf("no reference crosses namespaces: %s", got)
	}
	if got := references(live(read(t, sourceA))); got != "" {
		t.Errorf("no reference without a uid: %s", got)
	}
	items := append(read(t, withUID("u2")), first.Items[1:]...)
	second := live(items)
	if d := cmp.Diff(strings.Replace(want, "u1", "u2", 1), references(second)); d != "" {
		t.Errorf("a recreated owner gets new references (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"update Changed /Out/n/x"}, operations(second)); d != "" {
		t.Errorf("and its outputs stay outputs (-want +got):\n%s", d)
	}
	foreign := second.Items[1].DeepCopy()
	krm.SetField(foreign.Lookup("metadata", "ownerReferences").Content[0], "name", krm.StringNode("z"))
	third := live(append(read(t, withUID("u2")), foreign))
	if len(third.Results) != 1 || third.Results[0].Severity != sdk.Error || third.Items[1] != foreign {
		t.Errorf("an object with another controller is no output, whatever its tags: %v", results(third))
	}
}

func TestExclusionByReference(t *testing.T) {
	items := read(t, strings.Replace(parentP, "namespace: n}", "namespace: n, uid: u1}", 1)+
		strings.Replace(source("a", "{make: ["+out("x", "{}")+"]}"), "namespace: n}", "namespace: n, ownerReferences: [{kind: Parent, name: p, uid: u1, controller: true}]}", 1))
	if plan := run(t, items, mapEdge(items)); len(plan.Operations) > 0 {
		t.Errorf("what the owner controls is no input: %v", operations(plan))
	}
}

// TestDeletionOrder deletes the newest output first.
func TestDeletionOrder(t *testing.T) {
	made := func(name, when string) string {
		return strings.Replace(tagged(name, keyA, "{}"), "metadata:\n", "metadata:\n  creationTimestamp: \""+when+"\"\n", 1)
	}
	items := read(t, source("a", "{make: []}")+made("x", "2026-01-03T00:00:00Z")+made("y", "2026-01-01T00:00:00Z")+made("z", "2026-01-02T00:00:00Z"))
	if d := cmp.Diff(lines("delete NotDesired /Out/n/x\ndelete NotDesired /Out/n/z\ndelete NotDesired /Out/n/y"), operations(run(t, items, edge(items)))); d != "" {
		t.Errorf("by the time they were made (-want +got):\n%s", d)
	}
	deleting := read(t, source("a", "{make: []}")+strings.Replace(tagged("x", keyA, "{}"), "metadata:\n", "metadata:\n  deletionTimestamp: \"2026-01-03T00:00:00Z\"\n", 1))
	if d := cmp.Diff(lines("keep Deleting /Out/n/x"), operations(run(t, deleting, edge(deleting)))); d != "" {
		t.Errorf("what is being deleted is not deleted again (-want +got):\n%s", d)
	}
}

// twoSides copies Sources to the other side under the same names, with their related objects.
func twoSides(items []*krm.Object) (applyset.View, []applyset.Edge) {
	view := applyset.View{Items: items, Ref: func(o *krm.Object) applyset.Ref {
		return applyset.Ref{Place: o.Annotation("waybill.dev/side"), ID: o.ID()}
	}}
	copyOf := func(kind string) applyset.Projection {
		return func(_ context.Context, g *applyset.Group) applyset.Outcome {
			if g.Input.Lookup("spec", "fail") != nil {
				return applyset.Fail(&field.Error{Type: field.ErrorTypeInvalid, Field: "spec.fail", Detail: "as asked", BadValue: field.OmitValueType{}})
			}
			o := g.Input.DeepCopy()
			krm.SetField(o.Node(), "kind", krm.StringNode(kind))
			return applyset.Outputs(o)
		}
	}
	there := applyset.Edge{
		Verb: "sync", Controller: "syncer", Name: "primary", Place: "there", Merge: applyset.ThreeWay, Drift: applyset.Tolerate, WholeLists: true,
		State: applyset.InItem, Adopt: applyset.Converge, View: applyset.Complete, Stamp: map[string]string{"waybill.dev/side": "there"}, Project: copyOf("Source"),
	}
	for _, o := range items {
		if o.Kind() == "Source" && view.Ref(o).Place == "" {
			there.Inputs = append(there.Inputs, applyset.Input{Key: applyset.KeyIn("here", o.ID()), Object: o})
		}
	}
	related := there
	related.Name, related.After, related.Project = "creds", []string{"primary"}, copyOf("Related")
	return view, []applyset.Edge{there, related}
}

func TestTwoSides(t *testing.T) {
	view, edges := twoSides(read(t, source("a", "{size: 1}")+source("b", "{fail: true}")))
	first, err := applyset.Run(t.Context(), view, edges)
	if err != nil {
		t.Fatal(err)
	}
	want := lines(`
		create New there|/Source/n/a
		create New there|/Related/n/a`)
	for i := range want {
		want[i] = strings.Replace(want[i], "|/", "|test.dev/", 1)
	}
	if d := cmp.Diff(want, operations(first)); d != "" {
		t.Errorf("a copy has the name of its source, and what is related comes after it (-want +got):\n%s", d)
	}
	says := lines(`
		error Failed: sync(creds here|test.dev/Source/n/b): spec.fail: Invalid value: as asked
		error Failed: sync(primary here|test.dev/Source/n/b): spec.fail: Invalid value: as asked`)
	if d := cmp.Diff(says, results(first)); d != "" {
		t.Errorf("messages name the edge (-want +got):\n%s", d)
	}
	if f := first.Report()[0].Field; f == nil || f.Path != "spec.fail" {
		t.Errorf("a result has the field of its error: %v", f)
	}
	view, edges = twoSides(first.Items)
	second, err := applyset.Run(t.Context(), view, edges)
	if err != nil || !slices.Equal(second.Items, first.Items) {
		t.Errorf("a second run changes nothing: %v %v", err, operations(second))
	}
	gone := slices.DeleteFunc(slices.Clone(first.Items), func(o *krm.Object) bool { return o.Name() == "a" && view.Ref(o).Place == "" && o.Kind() == "Source" })
	view, edges = twoSides(gone)
	third, err := applyset.Run(t.Context(), view, edges)
	if err != nil {
		t.Fatal(err)
	}
	want = lines(`
		delete InputMissing there|test.dev/Related/n/a
		delete InputMissing there|test.dev/Source/n/a`)
	if d := cmp.Diff(want, operations(third)); d != "" {
		t.Errorf("what is related goes first (-want +got):\n%s", d)
	}
	if len(third.Items) != 1 {
		t.Errorf("copies go with their state:\n%s", dump(t, third.Items))
	}
}

func TestExecute(t *testing.T) {
	ops := []applyset.Operation{
		{Chain: "a", Ref: applyset.Ref{ID: krm.ID{Name: "1"}}}, {Chain: "a", Ref: applyset.Ref{ID: krm.ID{Name: "2"}}},
		{Chain: "b", Ref: applyset.Ref{ID: krm.ID{Name: "3"}}}, {Chain: "c", After: []string{"a"}, Ref: applyset.Ref{ID: krm.ID{Name: "4"}}},
		{Chain: "d", After: []string{"c"}, Ref: applyset.Ref{ID: krm.ID{Name: "5"}}},
	}
	var tried, ended []string
	attempts := applyset.Execute(t.Context(), ops, func(_ context.Context, op applyset.Operation) error {
		tried = append(tried, op.Ref.Name)
		if op.Ref.Name == "1" {
			return errors.New("refused")
		}
		return nil
	})
	for _, a := range attempts {
		ended = append(ended, fmt.Sprintf("%s %v %v", a.Operation.Ref.Name, a.Err, a.Skipped))
	}
	if d := cmp.Diff([]string{"1", "3"}, tried); d != "" {
		t.Errorf("a failure ends its chain and those after it (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"1 refused false", "2 <nil> true", "3 <nil> false", "4 <nil> true", "5 <nil> true"}, ended); d != "" {
		t.Errorf("the result has the skipped operations (-want +got):\n%s", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := applyset.Execute(ctx, ops[:1], nil); !a[0].Skipped {
		t.Error("nothing is tried once the context is done")
	}
}

func TestContextDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, parallel := range []int{1, 4} {
		items := read(t, sourceA)
		e := edge(items)
		e.Parallel = parallel
		if _, err := applyset.Run(ctx, applyset.View{Items: items}, []applyset.Edge{e}); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled run returns the error of its context: %v", err)
		}
	}
}

func TestBoundedResults(t *testing.T) {
	var e applyset.Edge
	e.Verb, e.Controller = "make", "maker"
	e.Project = func(context.Context, *applyset.Group) applyset.Outcome {
		out := applyset.Fail(errors.New(strings.Repeat("é\n", 5000)))
		out.Notes = []applyset.Note{{Severity: sdk.Info, Message: "a note"}}
		out.RequeueAfter = 3 * time.Second
		return out
	}
	for i := range applyset.MaxResults + 7 {
		e.Inputs = append(e.Inputs, applyset.Input{Key: fmt.Sprintf("/Source//s%05d", i)})
	}
	plan := run(t, nil, e)
	if len(plan.Results) != 2*applyset.MaxResults+2 || !plan.Failed() {
		t.Errorf("got %d results", len(plan.Results))
	}
	for _, r := range plan.Results {
		if len(r.Message) > 3000 || strings.Contains(r.Message, "\n") || !strings.HasPrefix(r.Message, "make") {
			t.Errorf("a message is one line, and a bounded one: %q", r.Message)
		}
	}
	if got := plan.Results[len(plan.Results)-2].Message; got != "make: and 7 more results of severity error" {
		t.Errorf("the last result counts the others: %q", got)
	}
	if plan.RequeueAfter != 3*time.Second {
		t.Errorf("another run is requested: %v", plan.RequeueAfter)
	}
}

func TestParallel(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		text.WriteString(source(fmt.Sprintf("s%d", i), "{make: ["+out(fmt.Sprintf("x%d", i), "{}")+"]}"))
	}
	items := read(t, text.String())
	want := run(t, items, edge(items))
	e := edge(items)
	e.Parallel = 8
	got := run(t, items, e)
	if d := cmp.Diff(dump(t, want.Items), dump(t, got.Items)); d != "" {
		t.Errorf("the result does not depend on Parallel (-want +got):\n%s", d)
	}
}
