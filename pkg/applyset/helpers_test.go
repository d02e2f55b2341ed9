package applyset_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func read(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		o.Source = krm.Source{}
	}
	return objects
}

func dump(t testing.TB, objects []*krm.Object) string {
	t.Helper()
	var b strings.Builder
	for _, o := range objects {
		data, err := krm.WriteRaw(krm.FromNode(o.Node()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("---\n")
		b.Write(data)
	}
	return b.String()
}

// projectSpec is a projection that decides as the spec of its input says.
func projectSpec(_ context.Context, g *applyset.Group) applyset.Outcome {
	spec := g.Input.Lookup("spec")
	if krm.Lookup(spec, "panic") != nil {
		panic("as asked")
	}
	out := outcome(spec)
	for _, n := range list(spec, "dependsOn") {
		out.DependsOn = append(out.DependsOn, n.Value)
	}
	return out
}

func outcome(spec *yaml.Node) applyset.Outcome {
	switch {
	case krm.Lookup(spec, "fail") != nil:
		return applyset.Fail(errors.New(krm.Lookup(spec, "fail").Value))
	case krm.Lookup(spec, "retry") != nil:
		return applyset.Retry("%s", krm.Lookup(spec, "retry").Value)
	case krm.Lookup(spec, "keepAll") != nil:
		return applyset.KeepAll()
	case krm.Lookup(spec, "nothing") != nil:
		return applyset.Outcome{}
	}
	var objects []*krm.Object
	for _, n := range list(spec, "make") {
		if n.Kind != yaml.MappingNode {
			objects = append(objects, nil)
			continue
		}
		objects = append(objects, krm.FromNode(krm.CopyNode(n)))
	}
	return applyset.Outputs(objects...)
}

func list(n *yaml.Node, field string) []*yaml.Node {
	if v := krm.Lookup(n, field); v != nil {
		return v.Content
	}
	return nil
}

// sources are inputs that own their outputs.
func sources(items []*krm.Object) (in []applyset.Input) {
	for _, o := range items {
		if o.Kind() == "Source" {
			in = append(in, applyset.Input{Key: applyset.Key(o), Object: o})
		}
	}
	return in
}

// edge is the rule that most tests start from.
func edge(items []*krm.Object) applyset.Edge {
	return applyset.Edge{Verb: "make", Controller: "maker", Project: projectSpec, Inputs: sources(items)}
}

// always updates every object in the same way.
func always(update applyset.Update) func(krm.ID) applyset.Update {
	return func(krm.ID) applyset.Update { return update }
}

// atMost limits deletions to a number.
func atMost(n int) applyset.Limit {
	limit, err := applyset.ParseLimit(fmt.Sprint(n))
	if err != nil {
		panic(err)
	}
	return limit
}

func run(t testing.TB, items []*krm.Object, edges ...applyset.Edge) *applyset.Plan {
	t.Helper()
	plan, err := applyset.Run(context.Background(), applyset.View{Items: items}, edges)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// outputs describes each object that is no input, in one line.
func outputs(t testing.TB, objects []*krm.Object) (lines []string) {
	t.Helper()
	for _, o := range objects {
		if o.Kind() == "Source" || o.Kind() == "Parent" {
			continue
		}
		content := map[string]string{}
		for _, field := range []string{"spec", "data"} {
			if n := o.Lookup(field); n != nil {
				data, err := krm.CanonicalJSON(n)
				if err != nil {
					t.Fatal(err)
				}
				content[field] = string(data)
			}
		}
		tags := applyset.TagsOf(o)
		line := o.Title() + " " + content["spec"] + content["data"]
		if tags.Input != "" {
			line += " <- " + tags.Input
		}
		if tags.Owner != tags.Input {
			line += " of " + tags.Owner
		}
		lines = append(lines, strings.TrimSuffix(line, " "))
	}
	return lines
}

func operations(plan *applyset.Plan) (lines []string) {
	for _, op := range plan.Operations {
		lines = append(lines, fmt.Sprintf("%s %s %s", op.Action, op.Reason, op.Ref))
	}
	return lines
}

func results(plan *applyset.Plan) (lines []string) {
	for _, r := range plan.Results {
		lines = append(lines, fmt.Sprintf("%s %s: %s", r.Severity, r.Reason, r.Message))
	}
	return lines
}

func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// checkLaws holds for every case: inputs untouched, second run a no-op on the very same objects, the
// order of items irrelevant.
func checkLaws(t testing.TB, items []*krm.Object, edges func([]*krm.Object) []applyset.Edge) {
	t.Helper()
	before := dump(t, items)
	first := run(t, items, edges(items)...)
	if after := dump(t, items); after != before {
		t.Errorf("law broken: the view is untouched:\n%s\n%s", before, after)
	}
	if got := dump(t, run(t, items, edges(items)...).Items); got != dump(t, first.Items) {
		t.Errorf("law broken: same input, same bytes:\n%s\n%s", dump(t, first.Items), got)
	}
	second := run(t, first.Items, edges(first.Items)...)
	if !slices.Equal(first.Items, second.Items) {
		t.Errorf("law broken: a second run changes nothing:\n%s\n%s", dump(t, first.Items), dump(t, second.Items))
	}
	for _, op := range second.Operations {
		if op.Action != applyset.ActionKeep {
			t.Errorf("law broken: a second run has nothing to do: %s %s %s", op.Action, op.Reason, op.Ref)
		}
	}
	for name, order := range orders(items) {
		other := run(t, order, edges(order)...)
		if got, want := sortedDump(t, other.Items), sortedDump(t, first.Items); got != want {
			t.Errorf("law broken: items %s, same bytes:\n%s\n%s", name, want, got)
		}
		if got, want := fmt.Sprint(results(other), operations(other)), fmt.Sprint(results(first), operations(first)); got != want {
			t.Errorf("law broken: items %s, same results:\n%s\n%s", name, want, got)
		}
	}
}

func orders(items []*krm.Object) map[string][]*krm.Object {
	reversed := slices.Clone(items)
	slices.Reverse(reversed)
	half := len(items) / 2
	return map[string][]*krm.Object{"reversed": reversed, "rotated": slices.Concat(items[half:], items[:half])}
}

func sortedDump(t testing.TB, items []*krm.Object) string {
	var texts []string
	for _, o := range items {
		texts = append(texts, dump(t, []*krm.Object{o}))
	}
	slices.Sort(texts)
	return strings.Join(texts, "")
}
