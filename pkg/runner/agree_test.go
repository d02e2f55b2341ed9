package runner

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// oddFields have comments where the YAML library does not keep them as they are.
var oddFields = []string{
	"K: # c\n  [\"-v\", \"1\"]", "K: # c\n  \"next line\"", "K:\n  # c\n  {a: b}", "K: | # c\n  text\n", "K: &K # c\n  b: c",
	"K: {a: b, # in\n  c: d} # after", "K:\n- # c\n  a: b\n-  c", "K:\n  - a\n  # mid\n  - b\n  # end", "K: # c\n  # d\n  a: b",
	"K:\n  - a: b\n    # deep\n# shallow", "K: [ # open\n  a, # one\n  b # two\n  ] # close", "K: \"x\" # c\n# under",
	"K:\n\n  # above\n\n  a: b\n\n  # below\n", "K: # c", "K: !!map # c\n  a: b", "? K # c\n: v # d", "K: {} # c", "K: >- # f\n  a\n  b\n",
	"K: a\n  b # c", "K:\n  - - a # x\n    # y\n    - b\n  - - c", "K: !x {a: b} # c", "K: !!str # c",
}

// oddObject makes an object of a few odd fields.
func oddObject(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: X\nmetadata:\n  name: x\n")
	indent := []string{"", "  "}[rng.IntN(2)]
	if indent != "" {
		b.WriteString("spec:\n")
	}
	for i := range 1 + rng.IntN(4) {
		field := strings.ReplaceAll(oddFields[rng.IntN(len(oddFields))], "K", fmt.Sprintf("k%d", i))
		for line := range strings.SplitSeq(field, "\n") {
			b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
		}
	}
	return b.String() + "end: x\n"
}

// labelled is a function that adds a label.
var labelled = &fn.Function{Name: "label", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
	out := fn.NewOutput(in)
	for i, o := range out.Items {
		out.Items[i] = o.DeepCopy()
		out.Items[i].SetAnnotation("label", "set")
	}
	return out, nil
}}

func served(ctx context.Context, stdin []byte) (stdout, stderr []byte, code int, err error) {
	var out, errs bytes.Buffer
	code = labelled.Serve(ctx, nil, bytes.NewReader(stdin), &out, &errs)
	return out.Bytes(), errs.Bytes(), code, nil
}

// TestRunnersAgree holds that a function gives the same bytes on the objects themselves and through the
// protocol, however odd the places of comments are, and that no comment is lost on the way.
func TestRunnersAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 300 {
		source := oddObject(rng)
		items, err := krm.Read("x.yaml", []byte(source), krm.Limits{})
		if err != nil {
			continue // two objects may not share an anchor's name, and the like
		}
		direct, err := labelled.Run(t.Context(), &fn.Input{Items: items})
		if err != nil {
			t.Fatal(err)
		}
		through, err := Exchange(t.Context(), &fn.Input{Items: items}, served)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		want, got := written(t, direct.Items), written(t, through.Items)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("of this:\n%s\n(-direct +through):\n%s", source, d)
		}
		for _, o := range items {
			for _, comment := range o.Comments() {
				if strings.Count(want, comment) < strings.Count(source, comment) && !strings.Contains(source, "[ # open") {
					t.Fatalf("%q is lost:\n%s\n----\n%s", comment, source, want)
				}
			}
		}
	}
}

func written(t *testing.T, items []*krm.Object) string {
	t.Helper()
	data, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPrintedAsJSON holds that what a function prints on one line is YAML with all comments, though their
// fields have no lines of their own any more.
func TestPrintedAsJSON(t *testing.T) {
	old := parseOne(t, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata: # settings\n  a: one # first\n# foot\n")
	now := parseOne(t, `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"a": "one", "b": "two"}}`)
	new(formatter).restoreFormat(old, now)
	want := "# settings\n# first\n# foot\n{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"web\"}, \"data\": {\"a\": \"one\", \"b\": \"two\"}}\n"
	if d := cmp.Diff(want, raw(t, now)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
