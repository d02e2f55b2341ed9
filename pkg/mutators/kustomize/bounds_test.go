package kustomize

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

const (
	overlay  = "overlays/x/kustomization.yaml"
	settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {a: b, c: d}\n"
)

// TestBounds gives the function input that would take for ever, or all memory, in the library.
func TestBounds(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"bases double in each folder": {doubling(30), "bases have more than 1000 folders"},
		"bases are deep":              {chain(60), "deeper than 40"},
		"a base of itself":            {map[string]string{overlay: "resources: [../y]\n", "overlays/y/kustomization.yaml": "resources: [../x]\n"}, "is a base of itself"},
		"its own folder":              {map[string]string{overlay: "resources: [.]\n"}, "is a base of itself"},
		"the folder above":            {map[string]string{overlay: "resources: [../]\n", "overlays/kustomization.yaml": "resources: [x]\n"}, "is a base of itself"},
		"many generators of one large file": {map[string]string{overlay: "configMapGenerator:\n" + list(100, "- {name: c%d, files: [big.txt]}\n"),
			"overlays/x/big.txt": strings.Repeat("x", 1<<20)}, "reads more than 33554432 bytes"},
		"many documents": {map[string]string{overlay: "resources: [all.yaml]\n", "overlays/x/all.yaml": list(6000, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n")},
			"reads more than 5000 documents"},
		"many documents and patches": {map[string]string{overlay: "resources: [all.yaml]\nimages:\n" + list(2000, "- {name: i%d, newTag: x}\n"),
			"overlays/x/all.yaml": list(4000, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n")}, "documents times patches"},
		"aliases":            {map[string]string{overlay: "resources: [a.yaml]\n", "overlays/x/a.yaml": settings + aliases}, "values"},
		"aliases in a text":  {map[string]string{overlay: "resources: [a.yaml]\npatches:\n- patch: |\n    " + strings.ReplaceAll(settings+aliases, "\n", "\n    ") + "\n", "overlays/x/a.yaml": settings}, "values"},
		"an alias of itself": {map[string]string{overlay: "resources: [a.yaml]\n", "overlays/x/a.yaml": "a: &a\n  b: *a\n"}, "is a part of what it stands for"},
		"deep values":        {map[string]string{overlay: "resources: [a.yaml]\n", "overlays/x/a.yaml": strings.Repeat("[", 5000)}, ""},
		"replacements that feed each other": {map[string]string{overlay: "resources: [a.yaml]\nreplacements:\n" + list(60,
			"- {source: {kind: ConfigMap, fieldPath: data.a}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.a], options: {delimiter: x, index: %d}}]}\n"),
			"overlays/x/a.yaml": settings}, " replacements and copies read fields"},
		"replacements in a file": {map[string]string{overlay: "resources: [a.yaml]\nreplacements: [{path: r.yaml}]\n", "overlays/x/r.yaml": list(60,
			"- {source: {kind: ConfigMap, fieldPath: data}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.n%d], options: {create: true}}]}\n"),
			"overlays/x/a.yaml": settings}, " replacements and copies read fields"},
		"copies": {map[string]string{overlay: "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n" +
			list(60, "    - {op: copy, from: /data, path: /data/n%d}\n"), "overlays/x/a.yaml": settings}, " replacements and copies read fields"},
		"replacements of a plugin": {map[string]string{overlay: "resources: [a.yaml]\ntransformers: [t.yaml]\n", "overlays/x/a.yaml": settings,
			"overlays/x/t.yaml": "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: t}\nreplacements: [{path: r.yaml}]\n",
			"overlays/x/r.yaml": list(60, "- {source: {kind: ConfigMap, fieldPath: data}, targets: [{select: {kind: ConfigMap}, fieldPaths: [data.n%d], options: {create: true}}]}\n")},
			" replacements and copies read fields"},
		"a long text into many objects": {map[string]string{overlay: "resources: [all.yaml]\nreplacements:\n- source: {kind: Big, fieldPath: text}\n  targets:\n" +
			"  - {select: {kind: ConfigMap}, fieldPaths: [data.x], options: {create: true}}\n",
			"overlays/x/all.yaml": list(4000, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n") +
				"---\napiVersion: v1\nkind: Big\nmetadata: {name: b}\ntext: " + strings.Repeat("x", 1<<20) + "\n"}, "replacements could copy more than"},
		"a long prefix": {map[string]string{overlay: "resources: [all.yaml]\nnamePrefix: " + strings.Repeat("x", 1<<20) + "\n",
			"overlays/x/all.yaml": list(4000, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n")}, "could go into each of 4001 objects"},
		"a deep path of a field": {map[string]string{overlay: "resources: [a.yaml]\nreplacements:\n- source: {kind: ConfigMap}\n  targets:\n" +
			"  - {select: {kind: ConfigMap}, fieldPaths: [" + strings.Repeat("a.", 100_000) + "b], options: {create: true}}\n", "overlays/x/a.yaml": settings},
			"a path is more than 200 levels deep"},
		"a deep path of labels": {map[string]string{overlay: "resources: [a.yaml]\nlabels:\n- {pairs: {a: b}, fields: [{create: true, path: " +
			strings.Repeat("a/", 100_000) + "b}]}\n", "overlays/x/a.yaml": settings}, "a path is more than 200 levels deep"},
		"vars": {map[string]string{overlay: "resources: [a.yaml]\nvars: [{name: V, objref: {kind: ConfigMap, name: s, apiVersion: v1}, fieldref: {fieldpath: data.a}}]\n",
			"overlays/x/a.yaml": settings + "x: " + strings.Repeat("$(V)", 40_000) + "\n"}, "vars are used 40000 times"},
		"no YAML":                      {map[string]string{overlay: "resources: [a.yaml]\n", "overlays/x/a.yaml": "{{ x }}: [\n"}, "overlays/x/a.yaml: not valid YAML"},
		"a string for a list":          {map[string]string{overlay: "resources: x\n"}, "overlays/x/kustomization.yaml: invalid Kustomization"},
		"two names":                    {map[string]string{overlay: "resources: []\n", "overlays/x/Kustomization": "resources: []\n"}, "has both"},
		"namespace out of the package": {map[string]string{overlay: "resources: [a.yaml]\n", "overlays/x/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../x, namespace: ..}\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := fn.Files{}
			for file, text := range tc.files {
				files[file] = []byte(text)
			}
			began := time.Now()
			out := buildOverlay(t, files, "")
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			if tc.want == "" {
				for _, o := range out.Items {
					if !strings.HasPrefix(o.File(), "kustomized/x/") || strings.Contains(o.File(), "..") && strings.Contains(o.File(), "/../") {
						t.Errorf("a file outside of the output folder: %s", o.File())
					}
				}
				return
			}
			if len(out.Results) != 1 || !strings.Contains(out.Results[0].Message, tc.want) || len(out.Results[0].Message) > 4000 {
				t.Errorf("got %.500v, want %q", out.Results, tc.want)
			}
		})
	}
}

func list(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// doubling are n levels of two folders, each of which has both of the next level as bases.
func doubling(n int) map[string]string {
	files := map[string]string{overlay: "resources: [../../l0a, ../../l0b]\n"}
	for i := range n {
		for _, side := range "ab" {
			files[fmt.Sprintf("l%d%c/kustomization.yaml", i, side)] = fmt.Sprintf("namePrefix: %c\nresources: [../l%da, ../l%db]\n", side, i+1, i+1)
		}
	}
	for _, side := range "ab" {
		files[fmt.Sprintf("l%d%c/kustomization.yaml", n, side)] = fmt.Sprintf("namePrefix: %c\nresources: [../c.yaml]\n", side)
	}
	files["c.yaml"] = settings
	return files
}

func chain(n int) map[string]string {
	files := map[string]string{overlay: "resources: [../../c0]\n"}
	for i := range n {
		files[fmt.Sprintf("c%d/kustomization.yaml", i)] = fmt.Sprintf("resources: [../c%d]\n", i+1)
	}
	return files
}

var aliases = "l0: &l0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" + func() string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "l%d: &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i+1, i+1, i, i, i, i, i, i)
	}
	return b.String()
}()

// TestSecretsStay makes kustomize fail where it quotes what it was given.
func TestSecretsStay(t *testing.T) {
	for name, text := range map[string]string{
		"literal":    "secretGenerator:\n- {name: s, literals: [hunter2hunter2]}\n",
		"no name":    "secretGenerator:\n- literals: [password=hunter2hunter2]\n",
		"twice":      "secretGenerator:\n- {name: s, literals: [password=hunter2hunter2, password=hunter2hunter2]}\n",
		"env":        "secretGenerator:\n- {name: s, envs: [login.env]}\n",
		"patch":      "resources: [s.yaml]\npatches:\n- patch: |-\n    stringData: {password: hunter2hunter2}\n",
		"json patch": "resources: [s.yaml]\npatches:\n- target: {kind: Secret}\n  patch: |-\n    - {op: ad, path: /stringData/password, value: hunter2hunter2}\n",
		"both":       "resources: [s.yaml]\npatches:\n- path: s.yaml\n  patch: |-\n    {kind: Secret, stringData: {password: hunter2hunter2}}\n",
		"no plugin":  "generators: ['{apiVersion: builtin, literals: [password=hunter2hunter2]}']\n",
		"bad plugin": "generators: ['{apiVersion: builtin, kind: SecretGenerator, metadata: {name: [hunter2hunter2]}}']\n",
		"plugin":     "generators:\n- |-\n  apiVersion: builtin\n  kind: SecretGenerator\n  metadata: {name: s}\n  literals: [hunter2hunter2]\n",
	} {
		t.Run(name, func(t *testing.T) {
			out := buildOverlay(t, fn.Files{overlay: []byte(text), "overlays/x/login.env": []byte("k=\xffhunter2hunter2\n"),
				"overlays/x/s.yaml": []byte("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2hunter2}\n")}, "")
			if !out.Failed() {
				t.Fatalf("it gives %d objects", len(out.Items))
			}
			if text := fmt.Sprint(out.Results[0].Message); strings.Contains(text, "hunter2") || strings.Contains(text, "104 117 110") {
				t.Errorf("the message shows the secret: %s", text)
			}
		})
	}
}

// TestNoEnvironment sets variables of which an env file names one without a value.
func TestNoEnvironment(t *testing.T) {
	t.Setenv("WAYBILL_TEST_VALUE", "from the environment")
	out := buildOverlay(t, fn.Files{overlay: []byte("configMapGenerator:\n- {name: s, envs: [e.env], options: {disableNameSuffixHash: true}}\n"),
		"overlays/x/e.env": []byte("WAYBILL_TEST_VALUE\n")}, "")
	if out.Failed() || out.Items[0].String("data", "WAYBILL_TEST_VALUE") != "" || os.Getenv("WAYBILL_TEST_VALUE") == "" {
		t.Errorf("%v %v", out.Results, contents(t, out.Items))
	}
}

// TestStops gives the function a context that has ended, and one build more than may run at once.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	files := fn.Files{overlay: []byte("resources: [a.yaml]\n"), "overlays/x/a.yaml": []byte(settings)}
	building <- struct{}{}
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := Run(ctx, &fn.Input{Config: fntest.Parse(t, "c.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {path: overlays/x}\n"))[0], Files: files})
	<-building
	if err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("waiting for another build ended with %v", err)
	}
	if _, err = Run(ctx, &fn.Input{Config: fntest.Parse(t, "c.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {path: overlays/x}\n"))[0], Files: files}); err == nil {
		t.Error("a build began after its context ended")
	}
}
