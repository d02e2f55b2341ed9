package render

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const (
	plainX = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n"
	plainY = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"y\"\n"
	gone   = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: gone\n"
	seenY  = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"y\"\n  annotations:\n    seen: 'yes'\n"
)

const labelY = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: root\npipeline:\n  mutators:\n" +
	"  - image: relabel\n    configMap:\n      label: seen\n    selectors:\n    - name: \"y\"\n" +
	"  - image: drop\n    configMap:\n      drop: gone\n    selectors:\n    - name: gone\n"

// renderFile renders one file beside a Kptfile whose pipeline labels y and drops "gone".
func renderFile(t rapid.TB, name, text string) (string, error) {
	tree, err := pkgtree.New(map[string][]byte{"Kptfile": []byte(labelY), name: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Render(context.Background(), tree, Options{Functions: testFactory{}})
	data, _ := res.Tree.Get(name)
	return string(data), err
}

// TestUnchangedDocuments checks that in a file of which one object changes, the others keep their text.
func TestUnchangedDocuments(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"header":        {"a blank line below a comment stays", "# Copyright\n\n" + plainX + "---\n" + plainY, "# Copyright\n\n" + plainX + "---\n" + seenY},
		"folded":        {"a folded text stays", plainX + "data:\n  a: >-\n    only two\n---\n" + plainY, plainX + "data:\n  a: >-\n    only two\n---\n" + seenY},
		"behind":        {"the text behind the object that changes stays", plainY + "---\n" + plainX + "a:   1\n\n# end\n", seenY + "---\n" + plainX + "a:   1\n\n# end\n"},
		"open end":      {"a last line without a newline stays so", plainY + "---\n" + plainX + "a: |\n  b", seenY + "---\n" + plainX + "a: |\n  b"},
		"moved up":      {"the objects behind one that is removed move up", gone + "---\n" + plainX + "a:   1\n---\n" + plainY, plainX + "a:   1\n---\n" + seenY},
		"CRLF":          {"a file has one kind of line ends", strings.ReplaceAll(plainX+"a:   1\n---\n"+plainY, "\n", "\r\n"), plainX + "a:   1\n---\n" + seenY},
		"comment":       {"a comment on a separator stays there", plainY + "--- # c\n" + plainX, seenY + "--- # c\n" + plainX},
		"comment first": {"also on the first separator", "--- # c\n" + plainX + "---\n" + plainY, "--- # c\n" + plainX + "---\n" + seenY},
		"leading":       {"a separator that begins the file stays", "---\n" + plainX + "---\n" + plainY, "---\n" + plainX + "---\n" + seenY},
		"end mark":      {"an end marker stays", plainX + "...\n---\n" + plainY, plainX + "...\n---\n" + seenY},
		"byte order":    {"a byte order mark stays", "\ufeff" + plainX + "a:   1\n---\n" + plainY, "\ufeff" + plainX + "a:   1\n---\n" + seenY},
		"transient":     {"an annotation that is never written to a file is removed", plainX + "  annotations:\n    config.kubernetes.io/index: '7'\na:   1\n---\n" + plainY, plainX + "a: 1\n---\n" + seenY},
		"lazy":          {"an object that was not parsed stays", plainX + "  annotations:\n    waybill.dev/generated-by: f\nspec:\n  a:   1\n---\n" + plainY, plainX + "  annotations:\n    waybill.dev/generated-by: f\nspec:\n  a:   1\n---\n" + seenY},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := renderFile(t, "f.yaml", c.in)
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", c.reason, err, d)
			}
			if again, err := renderFile(t, "f.yaml", got); again != got || err != nil {
				t.Errorf("a second render changes it: %v\n%s", err, cmp.Diff(got, again))
			}
		})
	}
}

// TestUnchangedJSON checks that a .json file of YAML documents becomes JSON when one object is left.
func TestUnchangedJSON(t *testing.T) {
	got, err := renderFile(t, "f.json", gone+"---\n"+plainX)
	want := "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"ConfigMap\",\n  \"metadata\": {\n    \"name\": \"x\"\n  }\n}\n"
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

// TestUnchangedAnywhere puts unusual documents around one that changes and one that is removed.
func TestUnchangedAnywhere(t *testing.T) {
	unusual := []string{plainX, "# c\n\n" + plainX, "---\n" + plainX, plainX + "a: |+\n  b\n\n", plainX + "a: >\n  b\n  c\n# d\n", plainX + "a: &x [b]\nc: *x # d\n",
		"# only\n", "", plainX + "...\n", plainX + "a: 'b\n\n  --- c'\n", "{\"apiVersion\": v1, \"kind\": X, \"metadata\": {\"name\": x}} # c\n", plainX + "\n\n"}
	rendered := 0
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for i, d := range rapid.SliceOfN(rapid.SampledFrom(append(unusual, plainY, gone)), 1, 5).Draw(t, "documents") {
			if i > 0 {
				text.WriteString(rapid.SampledFrom([]string{"---\n", "--- # s\n", "---   \n"}).Draw(t, "separator"))
			}
			text.WriteString(d)
		}
		in := text.String()
		if rapid.Bool().Draw(t, "open") {
			in = strings.TrimSuffix(in, "\n")
		}
		got, err := renderFile(t, "f.yaml", in)
		if err != nil {
			return // two objects on one line, or a byte order mark in the wrong place
		}
		rendered++
		checkUnchanged(t, in, got)
		if again, err := renderFile(t, "f.yaml", got); again != got || err != nil {
			t.Fatalf("a second render changes it: %v\n%s", err, cmp.Diff(got, again))
		}
	})
	if rendered == 0 {
		t.Error("no file could be rendered")
	}
}

// checkUnchanged checks that the objects that did not change are as they were, in their order.
func checkUnchanged(t rapid.TB, in, got string) {
	objs, err := krm.Read("in", []byte(in), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	now, err := krm.Read("got", []byte(got), krm.Limits{})
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	for _, o := range objs {
		if o.Name() == "gone" {
			continue
		}
		if len(now) == 0 || now[0].Name() != o.Name() || o.Name() == "x" && !krm.Same(o, now[0]) {
			t.Fatalf("%s is not as it was:\n%s\n----\n%s", o.Describe(), in, got)
		}
		if o.Name() == "x" && !strings.Contains(got, strings.TrimSpace(string(krm.Documents([]byte(in))[o.Source.Doc]))) {
			t.Fatalf("the text of %s is not as it was:\n%s\n----\n%s", o.Describe(), in, got)
		}
		now = now[1:]
	}
	if len(now) != 0 {
		t.Fatalf("there are more objects than before:\n%s\n----\n%s", in, got)
	}
}
