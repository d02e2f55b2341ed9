package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func TestReadStream(t *testing.T) {
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	cases := map[string]struct {
		reason, in string
		want       []string // the output when no function changes the items
		err        string
	}{
		"nothing":   {"an empty pipe is no error", "", nil, ""},
		"documents": {"documents are numbered; a comment is none", cm + "---\n# none\n---\n" + cm, []string{cm + "  annotations:\n    config.kubernetes.io/index: '0'\n    internal.config.kubernetes.io/index: '0'\n    internal.config.kubernetes.io/seqindent: 'compact'\n", cm + "  annotations:\n    config.kubernetes.io/index: '1'\n    internal.config.kubernetes.io/index: '1'\n    internal.config.kubernetes.io/seqindent: 'compact'\n"}, ""},
		"list":      {"items get no new annotation", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n", []string{cm}, ""},
		"spelling":  {"items keep the annotations that they came with", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n    annotations:\n      config.kubernetes.io/path: x\n      internal.config.kubernetes.io/package-path: /x\n", []string{cm + "  annotations:\n    config.kubernetes.io/path: x\n"}, ""},
		"no items":  {"a list needs items", "apiVersion: v1\nkind: List\n", nil, "document 1, line 1: items is not a list"},
		"no object": {"items must be objects", "apiVersion: v1\nkind: List\nitems: [a]\n", nil, "items[0] is not an object"},
		"old list":  {"the version is unknown", "apiVersion: example.com/v1\nkind: ResourceList\nitems: []\n", nil, "apiVersion is"},
		"no YAML":   {"the error names the stream", "a: [\n", nil, "stdin"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := ReadStream("stdin", []byte(tc.in))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, rawTexts(t, s.Output(s.Items))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func rawTexts(t testing.TB, items []*krm.Object) (out []string) {
	t.Helper()
	for _, o := range items {
		text, err := krm.WriteRaw(o)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

// FuzzReadStream checks that the output of a stream is a list whose output is the same.
func FuzzReadStream(f *testing.F) {
	for _, seed := range []string{
		"", "a: b\n---\nc: [d]\n", "apiVersion: v1\nkind: List\nitems:\n- &a {x: y}\n- *a\n",
		"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- metadata: {annotations: {config.kubernetes.io/path: x}}\n",
		"metadata:\n  annotations:\n    internal.config.kubernetes.io/index: '7'\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadStream("stdin", data)
		if err != nil {
			return
		}
		first := output(t, s)
		again, err := ReadStream("stdin", first)
		if err != nil {
			t.Fatalf("the output cannot be read: %v\n%s", err, first)
		}
		if diff := cmp.Diff(string(first), string(output(t, again))); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}

func output(t *testing.T, s *Stream) []byte {
	t.Helper()
	data, err := (&fn.List{Items: s.Output(s.Items)}).Write()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadConfig(t *testing.T) {
	const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	cases := map[string]struct{ reason, in, err string }{
		"one":     {"an object", cm, ""},
		"json":    {"JSON is YAML", `{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}`, ""},
		"none":    {"kpt crashes", "# nothing\n", `functionConfig "c.yaml" holds no object`},
		"two":     {"in kpt's words", cm + "---\n" + cm, `functionConfig "c.yaml" must not contain more than one config, got 2`},
		"no KRM":  {"in kpt's words", "apiVersion: v1\nkind: A\n", "functionConfig \"c.yaml\": resource must have `metadata.name`"},
		"no YAML": {"with file and line", "a: [", "functionConfig: c.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o, err := ReadConfig("c.yaml", []byte(tc.in))
			switch {
			case tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)):
				t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
			case tc.err == "" && (err != nil || o.Name() != "a"):
				t.Errorf("%s: %v, %v", tc.reason, o, err)
			}
		})
	}
}

// TestEval runs functions over a folder whose Kptfiles are not valid, both in-process and
// through the protocol.
func TestEval(t *testing.T) {
	const broken = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline: none\n"
	files := map[string][]byte{
		"Kptfile": []byte(broken), "sub/Kptfile": []byte(broken), "notes.txt": []byte("text"),
		"sub/w.yaml": []byte("apiVersion:   v1\nkind: ConfigMap\nmetadata: {name: wanderer}\n"),
	}
	in, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason, function, label string
		changed                 []string
		err                     string
	}{
		"label":    {"a subpackage is a folder like any other", "label", "a", []string{"Kptfile", "sub/Kptfile", "sub/w.yaml"}, ""},
		"nothing":  {"files that the function does not change keep their bytes", "drop", "nobody", nil, ""},
		"move":     {"paths count from the root", "move", "", []string{"moved/here.yaml", "sub/w.yaml"}, ""},
		"generate": {"the path of a new object counts from the root", "generate", "", []string{"ns/configmap_made.yaml"}, ""},
		"drop all": {"a function must not delete everything", "drop-all", "", nil, `function "drop-all": it received resources and returned none`},
		"escape":   {"no path leads out of the folder", "escape", "", nil, `function "escape": function must not modify resources outside of package`},
		"absolute": {"absolute paths are refused", "absolute", "", nil, "package paths may not be absolute paths"},
		"refuse":   {"the error names the function", "refuse", "", nil, `function "refuse": `},
		"unknown":  {"the error names it before it runs, too", "unknown", "", nil, `function "unknown": no function`},
	}
	for name, tc := range cases {
		for _, factory := range []testFactory{{}, {through: true}} {
			t.Run(name, func(t *testing.T) {
				config, err := MakeConfig("ConfigMap", map[string]string{"label": tc.label, "drop": tc.label})
				if err != nil {
					t.Fatal(err)
				}
				result, err := Eval(t.Context(), in, Evaluation{kptfilev1.Function{Image: tc.function, ConfigPath: "not read"}, config}, Options{Functions: factory})
				if tc.err != "" {
					if err == nil || !strings.Contains(err.Error(), tc.err) || result.Tree.Len() > 0 {
						t.Errorf("%s: err = %v, want %q", tc.reason, err, tc.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.changed, in.Diff(result.Tree)); diff != "" {
					t.Errorf("%s (-want changed +got):\n%s", tc.reason, diff)
				}
			})
		}
	}
}

// TestEvalStream checks that a function may empty a stream, but not a folder.
func TestEvalStream(t *testing.T) {
	s, err := ReadStream("stdin", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"))
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string][]string{"drop-all": nil, "generate": {"configmap_a.yaml", "ns/configmap_made.yaml"}} {
		result, err := s.Eval(t.Context(), Evaluation{Function: kptfilev1.Function{Image: function}}, Options{Functions: testFactory{}})
		if err != nil {
			t.Fatal(err)
		}
		files, err := Files(result.Items)
		if diff := cmp.Diff(want, files.Paths(), cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", function, err, diff)
		}
	}
	if s.Items[0].HasAnnotation(krm.PathAnnotation) {
		t.Error("the stream itself was changed")
	}
}
