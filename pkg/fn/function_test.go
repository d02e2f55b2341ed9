package fn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const cm = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: s\n  annotations:\n    config.kubernetes.io/path: 'a.yaml'\n    config.kubernetes.io/index: '2'\n"

// ran is what a program does: exit code, stdout, stderr.
type ran struct {
	Code           int
	Stdout, Stderr string
}

func serve(f *Function, stdin string, args ...string) ran {
	var out, errs bytes.Buffer
	code := f.Serve(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return ran{code, out.String(), errs.String()}
}

func named(run func(in *Input) (*Output, error)) *Function {
	return &Function{Name: "set-thing", Kind: "SetThing", Doc: Doc{Short: "Sets things.", Long: "All of them."},
		Run: func(_ context.Context, in *Input) (*Output, error) { return run(in) }}
}

// label is a lawful edit of every item.
func label(in *Input) (*Output, error) {
	out := NewOutput(in)
	for i, o := range out.Items {
		out.Items[i] = o.DeepCopy()
		out.Items[i].SetAnnotation("seen", "x")
	}
	return out, nil
}

func TestServe(t *testing.T) {
	list := head + "items:\n- " + strings.ReplaceAll(strings.TrimSpace(cm), "\n", "\n  ") + "\n"
	labelled := list + "      seen: 'x'\n"
	config := "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n    zed: x\n    max: y\n"
	cases := map[string]struct {
		reason string
		run    func(in *Input) (*Output, error)
		stdin  string
		args   []string
		want   ran
	}{
		"good":          {reason: "exit 0, nothing to say", run: label, stdin: list, want: ran{0, labelled, ""}},
		"same version":  {reason: "an old orchestrator gets its own version back", run: label, stdin: strings.Replace(list, "/v1\n", "/v1alpha1\n", 1), want: ran{0, strings.Replace(labelled, "/v1\n", "/v1alpha1\n", 1), ""}},
		"nothing to do": {reason: "no items is a list as well", run: label, stdin: head + "items: []\n", want: ran{0, head + "items: []\n", ""}},
		"warning": {reason: "a warning is said and is no failure; info stays in the list", run: func(in *Input) (*Output, error) {
			out, _ := label(in)
			out.Report(sdk.Info, nil, nil, "i")
			out.Report(sdk.Warning, in.Items[0], field.NewPath("data", "k"), "w %d", 1)
			return out, nil
		}, stdin: list, want: ran{0, labelled + "results:\n- message: w 1\n  severity: warning\n  resourceRef:\n    apiVersion: v1\n    kind: ConfigMap\n    name: a\n    namespace: s\n  field:\n    path: data.k\n  file:\n    path: a.yaml\n    index: 2\n- message: i\n  severity: info\n", "[warning] ConfigMap s/a (a.yaml) data.k: w 1\n"}},
		"error result": {reason: "exit 1, the list with the input's items", run: func(in *Input) (*Output, error) {
			out, _ := label(in)
			out.Report(sdk.Error, nil, nil, "no")
			return out, nil
		}, stdin: list, want: ran{1, list + "results:\n- message: \"no\"\n  severity: error\n", "[error] no\n"}},
		"error": {reason: "the same for what Run could not start with", run: func(*Input) (*Output, error) { return nil, errors.New("no") }, stdin: list, want: ran{1, list + "results:\n- message: \"no\"\n  severity: error\n", "[error] no\n"}},
		"panic": {reason: "a broken function breaks nothing else", run: func(_ *Input) (*Output, error) { panic("boom") }, stdin: list, want: ran{1, list + "results:\n- message: 'function \"set-thing\" broke on this input: boom; please report it'\n  severity: error\n", "[error] function \"set-thing\" broke on this input: boom; please report it\n"}},
		"bad config": {reason: "each option with its path", run: func(in *Input) (*Output, error) {
			var o struct {
				Max int `json:"max"`
			}
			return NewOutput(in), DecodeConfig(in.Config, "SetThing", &o)
		}, stdin: head + "items: []\n" + config, want: ran{1, head + "items: []\n" + config + "results:\n- message: 'data.max: Invalid value: \"y\": want a whole number'\n  severity: error\n  resourceRef:\n    apiVersion: v1\n    kind: ConfigMap\n    name: c\n  field:\n    path: data.max\n- message: 'data.zed: Forbidden: unknown option; known are max'\n  severity: error\n  resourceRef:\n    apiVersion: v1\n    kind: ConfigMap\n    name: c\n  field:\n    path: data.zed\n", "[error] ConfigMap c data.max: Invalid value: \"y\": want a whole number\n[error] ConfigMap c data.zed: Forbidden: unknown option; known are max\n"}},
		"config no object": {reason: "text that would be taken for no config", run: label, stdin: head + "items: []\nfunctionConfig: strict\n", want: ran{1, head + "items: []\nresults:\n- message: 'functionConfig: Invalid value: line 4: it is not an object'\n  severity: error\n  field:\n    path: functionConfig\n", "[error] functionConfig: Invalid value: line 4: it is not an object\n"}},
		"config list":      {reason: "nor a list, be it empty; the items come back as they were", run: label, stdin: list + "functionConfig: []\n", want: ran{1, list + "results:\n- message: 'functionConfig: Invalid value: line 12: it is not an object'\n  severity: error\n  field:\n    path: functionConfig\n", "[error] functionConfig: Invalid value: line 12: it is not an object\n"}},
		"no list":          {reason: "exit 2, nothing written", run: label, stdin: "hello\n", want: ran{2, "", "error: set-thing: input is not a ResourceList: ResourceList: document 1, line 1: is not an object (a mapping of fields)\n"}},
		"no input":         {reason: "exit 2 as well", run: label, want: ran{2, "", "error: set-thing: input is not a ResourceList: it is empty\n"}},
		"unwritable": {reason: "what cannot be written is no success", run: func(in *Input) (*Output, error) {
			out, _ := label(in)
			krm.SetField(out.Items[0].Node(), "x", krm.StringNode("\xff"))
			return out, nil
		}, stdin: list, want: ran{1, "", "error: set-thing: write: ConfigMap s/a (a.yaml) cannot be written: yaml: cannot marshal invalid UTF-8 data as !!str\n"}},
		"help":             {reason: "what it does", args: []string{"--help"}, want: ran{0, "Sets things.\n\nAll of them.\n", ""}},
		"short help":       {reason: "the short flag too", args: []string{"-h"}, want: ran{0, "Sets things.\n\nAll of them.\n", ""}},
		"unknown argument": {reason: "usage, and where to look", args: []string{"--colour"}, want: ran{2, "", "error: set-thing takes no arguments (got \"--colour\"): it reads a ResourceList on stdin; see --help\n"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := named(c.run)
			if d := cmp.Diff(c.want, serve(f, c.stdin, c.args...)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
	if code := named(label).Serve(context.Background(), nil, strings.NewReader(list), fullDisk{}, io.Discard); code != ExitFailed {
		t.Errorf("a list that could not be written is a failure, got exit %d", code)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestApplyResults(t *testing.T) {
	at := func(p string) *field.Error { return field.Required(field.NewPath(p), "say it") }
	report := func(sev sdk.Severity, name, path, message string) *sdk.Result {
		r := &sdk.Result{Severity: sev, Message: message, ResourceRef: &sdk.ResourceRef{Kind: "K", Name: name}}
		if path != "" {
			r.Field = &sdk.Field{Path: path}
		}
		return r
	}
	cases := map[string]struct {
		reason  string
		results sdk.Results
		err     error
		want    []string
	}{
		"sorted":          {"by severity, object, field, message", sdk.Results{report(sdk.Info, "a", "", "1"), report(sdk.Warning, "b", "", "2"), report(sdk.Error, "b", "y", "3"), report(sdk.Error, "b", "x", "5"), report(sdk.Error, "b", "x", "4"), report("", "0", "", "6"), report(sdk.Error, "a", "z", "7")}, nil, []string{"[error] K a z: 7", "[error] K b x: 4", "[error] K b x: 5", "[error] K b y: 3", "[warning] K b 2", "[info] K 0 6", "[info] K a 1"}},
		"results and err": {"what was reported before the error is kept", sdk.Results{report(sdk.Warning, "a", "", "1")}, errors.New("no"), []string{"[error] no", "[warning] K a 1"}},
		"several faults":  {"one result each", nil, utilerrors.NewAggregate([]error{at("spec.b"), at("spec.a"), errors.New("else")}), []string{"[error] else", "[error] spec.a: Required value: say it", "[error] spec.b: Required value: say it"}},
		"wrapped fault":   {"keeps its words and its field", nil, fmt.Errorf("read config: %w", at("spec.a")), []string{"[error] spec.a: read config: spec.a: Required value: say it"}},
		"wrapped faults":  {"keep the words around them", nil, fmt.Errorf("read config: %w", utilerrors.NewAggregate([]error{errors.New("x"), errors.New("y")})), []string{"[error] read config: [x, y]"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := named(func(_ *Input) (*Output, error) { return &Output{Results: c.results}, c.err })
			out := f.Apply(context.Background(), &Input{})
			var got []string
			for _, r := range out.Results {
				got = append(got, FormatResult(r))
				if r.Severity == "" {
					t.Errorf("%s: %q has no severity", c.reason, r.Message)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

func TestApplyKeepsInput(t *testing.T) {
	in := &Input{Items: []*krm.Object{object(t, cm)}}
	for name, run := range map[string]func(in *Input) (*Output, error){
		"error": func(_ *Input) (*Output, error) { return &Output{}, errors.New("no") },
		"panic": func(_ *Input) (*Output, error) { var o *krm.Object; o.Node(); return nil, nil },
		"nil":   func(_ *Input) (*Output, error) { return nil, nil },
	} {
		out := named(run).Apply(context.Background(), in)
		if len(out.Items) != 1 || out.Items[0] != in.Items[0] || out.Failed() != (name != "nil") {
			t.Errorf("%s: want the input's very items and a failure, got %d items, failed %t", name, len(out.Items), out.Failed())
		}
	}
}

// TestProcess holds that the SDK's edge gives what the program gives.
func TestProcess(t *testing.T) {
	list := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" +
		"# head\n- apiVersion: v1 # line\n  kind: ConfigMap\n  metadata: {name: a}\n" +
		"- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: b\n    annotations:\n      config.kubernetes.io/path: 'b.yaml'\n"
	report := func(in *Input) (*Output, error) {
		out, _ := label(in)
		for _, o := range in.Items {
			out.Report(sdk.Warning, o, nil, "seen")
		}
		return out, nil
	}
	for name, c := range map[string]struct {
		run  func(in *Input) (*Output, error)
		want bool
	}{"good": {report, true}, "fails": {func(_ *Input) (*Output, error) { return nil, errors.New("no") }, false}} {
		t.Run(name, func(t *testing.T) {
			f := named(c.run)
			program, err := ParseList([]byte(serve(f, list).Stdout))
			if err != nil {
				t.Fatal(err)
			}
			rl, err := sdk.ParseResourceList([]byte(list))
			if err != nil {
				t.Fatal(err)
			}
			ok, err := f.Process(rl)
			if ok != c.want || err != nil {
				t.Fatalf("got %t, %v", ok, err)
			}
			var items []string
			for _, item := range rl.Items {
				items = append(items, raw(t, object(t, item.String())))
			}
			if d := cmp.Diff(rawAll(t, program.Items), items); d != "" {
				t.Errorf("items (-program +SDK):\n%s", d)
			}
			if d := cmp.Diff(program.Results, rl.Results); d != "" {
				t.Errorf("results (-program +SDK):\n%s", d)
			}
		})
	}
}

func TestProcessConfig(t *testing.T) {
	rl, err := sdk.ParseResourceList([]byte(head + "items: []\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c}\n  data: {max: '3'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var opts struct {
		Max int `json:"max"`
	}
	f := named(func(in *Input) (*Output, error) { return NewOutput(in), DecodeConfig(in.Config, "SetThing", &opts) })
	if ok, err := f.Process(rl); !ok || err != nil || opts.Max != 3 {
		t.Errorf("got %t, %v, max %d, want 3", ok, err, opts.Max)
	}
}

func TestMustDoc(t *testing.T) {
	readme := "# set-thing\n\n<!--mdtogo:Short-->\n\nSets things.\n\n<!--mdtogo-->\n\n<!--mdtogo:Long-->\nAll of them.\n<!--mdtogo-->\n"
	if d := cmp.Diff(Doc{"Sets things.", "All of them.", readme}, MustDoc(readme, "set-thing")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, bad := range map[string]string{
		"another title": strings.Replace(readme, "set-thing", "set-other", 1),
		"no short text": strings.Replace(readme, "Sets things.", "", 1),
		"no long text":  strings.Replace(readme, "mdtogo:Long", "mdtogo:Lang", 1),
		"open section":  strings.TrimSuffix(readme, "<!--mdtogo-->\n"),
	} {
		if text := panicOf(func() { MustDoc(bad, "set-thing") }); !strings.Contains(text, "README of set-thing") {
			t.Errorf("%s: want a panic that names the README, got %q", name, text)
		}
	}
}

func panicOf(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}
