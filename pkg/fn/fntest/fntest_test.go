package fntest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// casesVariable names the golden cases that a run of this very test program is given; see runCases.
const casesVariable = "FNTEST_CASES"

// setSize writes the config's size into every object that has none, says so, and drops objects
// called "drop".
var setSize = &fn.Function{Name: "set-size", Kind: "SetSize", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
	opts := struct {
		Size int `json:"size"`
	}{1}
	if err := fn.DecodeConfig(in.Config, "SetSize", &opts); err != nil {
		return nil, err
	}
	out := &fn.Output{}
	for _, o := range in.Items {
		if o.Name() == "drop" {
			continue
		}
		if o.Lookup("size") == nil {
			o = o.DeepCopy()
			n, _ := krm.NodeOf(opts.Size)
			krm.SetField(o.Node(), "size", n)
		} else {
			out.Report(sdk.Info, o, field.NewPath("size"), "has a size")
		}
		out.Items = append(out.Items, o)
	}
	return out, nil
}}

// TestGivenCases is what runCases runs in a process of its own, where it may fail.
func TestGivenCases(t *testing.T) {
	if glob := os.Getenv(casesVariable); glob != "" {
		Run(t, setSize, glob)
	}
}

// runCases runs golden cases and returns whether they pass and what was said.
func runCases(t *testing.T, glob string, flags ...string) (bool, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{"-test.run=^TestGivenCases$"}, flags...)...)
	cmd.Env = append(os.Environ(), casesVariable+"="+glob)
	out, err := cmd.CombinedOutput()
	return err == nil, string(out)
}

const golden = `Every object gets the size; one that has a size keeps it.
-- config.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {size: "3"}
-- in.yaml --
# head
apiVersion: v1
kind: A
metadata:
  name: a # name
---
apiVersion: v1
kind: A
metadata: {name: b}
size: 7
---
apiVersion: v1
kind: A
metadata: {name: drop}
-- out.yaml --
--- # in.yaml
# head
apiVersion: v1
kind: A
metadata:
  name: a # name
size: 3
# removed: /A//drop
-- results.txt --
[info] A b (in.yaml) size: has a size
`

func TestRun(t *testing.T) {
	cases := map[string]struct {
		reason string
		file   string
		want   string // part of what a failure says; "" passes
	}{
		"law":             {"a golden that matches does not hide a broken law", golden, "law broken: a second run says the same"},
		"again":           {"a case may say why a second run differs", golden + "-- again.txt --\nWhat was added is news once.\n", ""},
		"again for none":  {"which must be true", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: a}\nsize: 1\n-- results.txt --\n[info] A a (in.yaml) size: has a size\n-- again.txt --\nNot so.\n", "again.txt says that a second run differs, and it does not: Not so."},
		"nothing said":    {"lawful: nothing is reported the second time only", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: drop}\n-- out.yaml --\n# removed: /A//drop\n", ""},
		"wrong item":      {"another size", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: drop}\n-- out.yaml --\n# removed: /A//other\n", "items (-want +got)"},
		"missing item":    {"a change that the case does not know", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: drop}\n", "items (-want +got)"},
		"wrong result":    {"another message", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: a}\nsize: 1\n-- results.txt --\n[info] nothing\n", "results (-want +got)"},
		"result":          {"an object that keeps its size", "Why.\n-- in.yaml --\nkind: A\nmetadata: {name: a}\nsize: 1\n-- results.txt --\n[info] A a (in.yaml) size: has a size\n", ""},
		"bad config":      {"an error result leaves the items", "Why.\n-- config.yaml --\napiVersion: v1\nkind: ConfigMap\ndata: {colour: red}\n-- in.yaml --\nkind: A\nmetadata: {name: drop}\n-- results.txt --\n[error] ConfigMap  data.colour: Forbidden: unknown option; known are size\n", ""},
		"paths":           {"paths that a case gives are kept", "Why.\n-- in.yaml --\nkind: A\nmetadata:\n  name: drop\n  annotations:\n    config.kubernetes.io/path: 'x/y.yaml'\n---\nkind: A\nmetadata:\n  name: b\n  annotations:\n    config.kubernetes.io/path: 'x/y.yaml'\nsize: 1\n-- out.yaml --\n# removed: /A//drop\n-- results.txt --\n[info] A b (x/y.yaml) size: has a size\n", ""},
		"no reason":       {"a case must say why it exists", "-- in.yaml --\nkind: A\n", "say in its first line why the case exists"},
		"unknown section": {"a misspelt section would check nothing", "Why.\n-- output.yaml --\n", `unknown section "output.yaml"`},
		"empty config":    {"a config section holds one object", "Why.\n-- config.yaml --\n# nothing\n-- in.yaml --\nkind: A\n", "config.yaml holds 0 objects, want one"},
		"broken input":    {"input that cannot be read", "Why.\n-- in.yaml --\na: 1\na: 2\n", `field "a" is given twice`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "case.txtar")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			ok, said := runCases(t, file)
			if ok != (c.want == "") || !strings.Contains(said, c.want) {
				t.Errorf("%s: passes is %t, want %q in:\n%s", c.reason, ok, c.want, said)
			}
		})
	}
	if ok, said := runCases(t, filepath.Join(t.TempDir(), "*.txtar")); ok || !strings.Contains(said, "no golden cases match") {
		t.Errorf("no cases are no success:\n%s", said)
	}
}

func TestUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.txtar")
	stale := strings.NewReplacer("size: 3\n# removed", "size: 4\n# removed", "has a size\n", "stale\n").Replace(golden)
	if err := os.WriteFile(file, []byte(stale), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said := runCases(t, file, "-update")
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(golden, string(got)); d != "" {
		t.Errorf("-update must put right what the function gives (-want +got):\n%s\n%s", d, said)
	}
	if strings.Contains(said, "(-want +got)") && !strings.Contains(said, "law broken") {
		t.Errorf("-update compares no goldens:\n%s", said)
	}
}
