package fn_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestFilesProtocol hands files to a program: it sees the bytes that a linked function sees, and its output has no item for them.
func TestFilesProtocol(t *testing.T) {
	files := fn.Files{"charts/a.tgz": {0x1f, 0x8b, 0, 255}, "a/b.yaml": []byte("a: 1\n"), "empty": {}, "crlf.txt": []byte("a\r\nb\x85\u2028"),
		"ends": []byte("  \n\n a\t \n\n"), "bom": []byte("\ufeffx: 1"), "utf": []byte("ü – {{ .x }}: 'y'\n"), "nul": []byte("a\x00")}
	var seen fn.Files
	f := &fn.Function{Name: "reader", Run: func(_ context.Context, in *fn.Input) (out *fn.Output, err error) {
		seen, err = fn.PackageFiles(in)
		return fn.NewOutput(in), err
	}}
	in := &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n")), Files: files}
	fntest.CheckLaws(t, f, in, nil)
	if d := cmp.Diff(files, seen); d != "" {
		t.Errorf("what a program reads (-sent +read):\n%s", d)
	}
}

const twoFiles = `apiVersion: fn.waybill.dev/v1alpha1
kind: PackageFiles
metadata:
  name: charts
  annotations: {config.kubernetes.io/local-config: "true", internal.config.kubernetes.io/path: files.yaml%s}
files:
%s`

// TestPackageFiles reads items of the package: they join the files that were handed over.
func TestPackageFiles(t *testing.T) {
	for name, tc := range map[string]struct {
		annotations, files, want string
		handed                   fn.Files
	}{
		"text":         {files: "- {path: a/x, content: one}", want: "a/x=one"},
		"base64":       {files: "- {path: x, base64: b25l}", want: "x=one"},
		"none":         {files: "  []", want: ""},
		"joined":       {files: "- {path: x, content: one}", handed: fn.Files{"y": []byte("two"), "x": []byte("one")}, want: "x=one y=two"},
		"subpackage":   {annotations: ", internal.config.kubernetes.io/package-path: /sub", files: "- {path: x, content: one}", want: "sub/x=one"},
		"differs":      {files: "- {path: x, content: one}", handed: fn.Files{"x": []byte("two")}, want: `files[0].path: Invalid value: "x": the package has this file with another content`},
		"twice":        {files: "- {path: x, content: one}\n- {path: x, content: two}", want: "files[1].path"},
		"out":          {files: "- {path: ../x, content: one}", want: `files[0].path: Invalid value: "../x": want the path of a file inside of the package`},
		"absolute":     {files: "- {path: /etc/passwd, content: one}", want: "files[0].path"},
		"unclean":      {files: "- {path: a/./x, content: one}", want: "files[0].path"},
		"backslash":    {files: `- {path: 'a\..\x', content: one}`, want: "files[0].path"},
		"control":      {files: `- {path: "a\nb", content: one}`, want: "files[0].path"},
		"both":         {files: "- {path: x, content: one, base64: b25l}", want: "files[0].base64: Forbidden"},
		"neither":      {files: "- {path: x}", want: "files[0].content: Required"},
		"no base64":    {files: "- {path: x, base64: '%'}", want: "files[0].base64: Invalid"},
		"unknown":      {files: "- {path: x, contents: one}", want: "files[0].contents"},
		"no list":      {files: "  x: one", want: "files"},
		"marked input": {annotations: ", waybill.dev/input-only: 'true'", files: "- {path: x, content: one}", want: "x=one"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(strings.Replace(twoFiles, "%s", tc.annotations, 1), "%s", tc.files+"\n", 1)
			text += "---\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p, annotations: {internal.config.kubernetes.io/path: Kptfile, internal.config.kubernetes.io/package-path: /}}\n"
			in := &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte(text)), Files: tc.handed}
			files, err := fn.PackageFiles(in)
			var got []string
			for _, name := range slices.Sorted(maps.Keys(files)) {
				got = append(got, name+"="+string(files[name]))
			}
			if err != nil && !strings.Contains(err.Error(), tc.want) || err == nil && strings.Join(got, " ") != tc.want {
				t.Errorf("%v, %v; want %s", got, err, tc.want)
			}
			if tc.handed != nil && !maps.EqualFunc(tc.handed, in.Files, func(a, b []byte) bool { return string(a) == string(b) }) {
				t.Error("the input changed")
			}
			items, err := in.HandOver()
			if err != nil || len(fn.WithoutInputOnly(items)) != 2 {
				t.Errorf("an item of the package was lost: %v", err)
			}
		})
	}
}

func TestFilesBounds(t *testing.T) {
	many := fn.Files{"big": make([]byte, fn.MaxFileBytes+1)}
	if err := many.Check(); err == nil || !strings.Contains(err.Error(), "more than the 268435456 allowed") {
		t.Errorf("too many bytes: %v", err)
	}
	many = make(fn.Files, fn.MaxFiles+1)
	for i := range fn.MaxFiles + 1 {
		many[strings.Repeat("a", i%200)+string(rune('a'+i/200))] = nil
	}
	if err := many.Check(); err == nil || !strings.Contains(err.Error(), "more than the 50000 allowed") {
		t.Errorf("too many files: %v", err)
	}
}

func TestPackageFolder(t *testing.T) {
	const kptfile, object = "apiVersion: kpt.dev/v1\nkind: Kptfile\n", "apiVersion: v1\nkind: ConfigMap\n"
	in := func(kind, pkg string) *krm.Object {
		return fntest.Parse(t, "x", []byte(kind+"metadata: {name: x, annotations: {internal.config.kubernetes.io/package-path: "+pkg+
			", internal.config.kubernetes.io/path: a.yaml}}\n"))[0]
	}
	for name, tc := range map[string]struct {
		items  []*krm.Object
		config *krm.Object
		want   string
	}{
		"root":        {items: []*krm.Object{in(object, "/sub"), in(kptfile, "/sub"), in(kptfile, "/")}},
		"subpackage":  {items: []*krm.Object{in(object, "/sub/a"), in(kptfile, "/sub/a"), in(kptfile, "/sub")}, want: "sub"},
		"config":      {items: []*krm.Object{in(object, "/sub/a")}, config: in(object, "/sub"), want: "sub"},
		"no Kptfile":  {items: []*krm.Object{in(object, "/sub/a"), in(object, "/sub")}, config: fntest.Parse(t, "c", []byte(object+"metadata: {name: c}\n"))[0], want: "sub"},
		"nothing":     {},
		"no position": {items: fntest.Parse(t, "x", []byte(object+"metadata: {name: x}\n"))},
	} {
		if got := fn.PackageFolder(&fn.Input{Items: tc.items, Config: tc.config}); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
