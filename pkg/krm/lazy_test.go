package krm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

const generatedText = "apiVersion: v1\nkind: Work\nmetadata:\n  name: w\n  annotations:\n    made: by\nspec:\n  list:\n  - a: 1\n    b: x # c\n"

func readLazy(t *testing.T, text string) *Object {
	t.Helper()
	objs, err := ReadLazy("f.yaml", []byte(text), Limits{}, "spec", "made")
	if err != nil || len(objs) != 1 {
		t.Fatalf("%d objects, %v", len(objs), err)
	}
	return objs[0]
}

// TestReadLazy compares objects with lazy fields with objects that are parsed at once.
func TestReadLazy(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		later        bool
	}{
		"Plain":          {"the usual form", generatedText, true},
		"NotAsked":       {"an object that was not generated", strings.Replace(generatedText, "made: by", "other: x", 1), false},
		"MoreFields":     {"the field is not the last one", generatedText + "status: {}\n", false},
		"CommentBetween": {"a comment stands outside of all fields", strings.Replace(generatedText, "spec:", "# c\nspec:", 1), false},
		"CommentBelow":   {"another belongs to the file", generatedText + "# end\n", false},
		"BlankLine":      {"a blank line may belong to a text", generatedText + "\n", false},
		"NoLineEnd":      {"the last line is open", strings.TrimSuffix(generatedText, "\n"), false},
		"Flow":           {"the field is on one line", "metadata: {name: w, annotations: {made: by}}\nspec: {a: 1}\n", false},
		"FlowHead":       {"braces go on at the first column", "metadata: {name: w, annotations: {made: by},\nspec:\n  a}\n", false},
		"Anchors":        {"the head has an anchor that the field may use", strings.Replace(generatedText, "made: by", "made: &x by", 1), false},
		"Twice":          {"the field stands twice", "spec: 1\n" + strings.Replace(generatedText, "spec:", "spec:", 1), false},
		"Alias":          {"aliases count with all those in the file", strings.Replace(generatedText, "- a: 1\n    b: x # c", "- &x a\n  - *x", 1), false},
		"Star":           {"a text with a star is no alias", strings.Replace(generatedText, "b: x # c", "b: \"*.example.com\" # c", 1), true},
		"Wide":           {"lists are indented", strings.Replace(generatedText, "  - a: 1\n    b: x # c\n", "    - a: 1\n      b: x # c\n", 1), true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			want, wantErr := Read("f.yaml", []byte(tc.text), Limits{})
			got, err := ReadLazy("f.yaml", []byte(tc.text), Limits{}, "spec", "made")
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Fatalf("%s: error %v, read at once %v", tc.reason, err, wantErr)
			}
			if err != nil {
				return
			}
			if got[0].deferred() != tc.later {
				t.Errorf("%s: left for later: %t", tc.reason, got[0].deferred())
			}
			if got[0].WideSequences != want[0].WideSequences || got[0].Source != want[0].Source {
				t.Errorf("%s: style and source are %v %v, want %v %v", tc.reason, got[0].WideSequences, got[0].Source, want[0].WideSequences, want[0].Source)
			}
			if diff := cmp.Diff(write(t, want...), write(t, got...)); diff != "" || !Same(want[0], got[0]) {
				t.Errorf("%s (-at once +later):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestLazyFaults checks that every method reports broken text.
func TestLazyFaults(t *testing.T) {
	for name, text := range map[string]string{
		"NoYAML":       strings.Replace(generatedText, "- a: 1", "- a: [1", 1),
		"DuplicateKey": strings.Replace(generatedText, "    b: x # c", "    a: 2", 1),
	} {
		t.Run(name, func(t *testing.T) {
			_, want := Read("f.yaml", []byte(text), Limits{})
			o := readLazy(t, text)
			if o.Fault() != nil {
				t.Error("a fault before the field was parsed")
			}
			o.DeepCopy().Node() // as a function would look
			for what, err := range map[string]error{"Fault": o.Fault(), "Check": readLazy(t, text).Check()} {
				if err == nil || !strings.HasPrefix(err.Error(), "f.yaml: document 1, line ") {
					t.Errorf("%s is %v; read at once: %v", what, err, want)
				}
			}
		})
	}
	if err := readLazy(t, generatedText).Check(); err != nil {
		t.Error(err)
	}
}

// said is a deferred field that has a text of its own.
type said struct {
	value *yaml.Node
	text  string
}

func (s said) Node() *yaml.Node                      { return s.value }
func (s said) AppendText(dst []byte) ([]byte, error) { return append(dst, s.text...), nil }

// TestSameData distinguishes an object that is rewritten unchanged from one that changed.
func TestSameData(t *testing.T) {
	made := func(text string) *Object {
		objs, err := Read("f.yaml", []byte(text), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		root := objs[0].Node()
		head := MapNode(root.Content[:len(root.Content)-2]...)
		_, spec, _ := strings.Cut(text, "\nspec:\n")
		return WithDeferred(head, "spec", said{root.Content[len(root.Content)-1], "spec:\n" + spec})
	}
	plain := strings.Replace(generatedText, " # c", "", 1)
	cases := map[string]struct {
		reason       string
		old, new     string
		want, parsed bool
	}{
		"Same":       {"nothing changed", plain, plain, true, false},
		"OtherField": {"the text says something else", plain, strings.Replace(plain, "a: 1", "a: 2", 1), false, false},
		"OtherHead":  {"the rest differs", plain, strings.Replace(plain, "name: w", "name: v", 1), false, false},
		"Comment":    {"a comment makes no difference", generatedText, plain, true, true},
		"Restyled":   {"nor do blanks and quotes", strings.Replace(plain, "b: x", "b:   'x'", 1), plain, true, true},
		"Bare":       {"quotes that are missing do: other readers may see no text", strings.Replace(plain, "b: x", "b: 12:30", 1), strings.Replace(plain, "b: x", "b: \"12:30\"", 1), false, true},
		"Quotes":     {"and they do they do where they make another value", strings.Replace(plain, "a: 1", "a: '1'", 1), plain, false, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			old := readLazy(t, tc.old)
			if got := old.SameData(made(tc.new)); got != tc.want || old.deferred() == tc.parsed {
				t.Errorf("%s: %t, parsed %t", tc.reason, got, !old.deferred())
			}
		})
	}
}

func TestUncommented(t *testing.T) {
	plain := strings.Replace(generatedText, " # c", "", 1)
	cases := map[string]struct {
		reason, text string
		want, parsed bool
	}{
		"None":    {"the text has no such sign", plain, true, false},
		"InField": {"a comment in the field", generatedText, false, true},
		"InHead":  {"a comment in the rest", strings.Replace(plain, "name: w", "name: w # c", 1), false, false},
		"InText":  {"a sign that begins no comment", strings.Replace(plain, "b: x", "b: x#y", 1), true, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := readLazy(t, tc.text)
			if got := o.Uncommented(); got != tc.want || o.deferred() == tc.parsed {
				t.Errorf("%s: %t, parsed %t", tc.reason, got, !o.deferred())
			}
		})
	}
}
