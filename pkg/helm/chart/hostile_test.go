package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// archived is a .tgz with these entries. A text that begins with "link:" makes a symbolic link.
func archived(t testing.TB, entries ...File) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, e := range entries {
		h := &tar.Header{Name: e.Name, Mode: 0o644, Size: int64(len(e.Data)), Typeflag: tar.TypeReg}
		if to, ok := bytes.CutPrefix(e.Data, []byte("link:")); ok {
			h.Typeflag, h.Linkname, h.Size, e.Data = tar.TypeSymlink, string(to), 0, nil
		}
		if err := archive.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(e.Data); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var about = []byte("apiVersion: v2\nname: web\nversion: 1.0.0\n")

// TestHostileArchives wants a short error for what no chart has.
func TestHostileArchives(t *testing.T) {
	bomb := archived(t, File{"web/Chart.yaml", about}, File{"web/zeros", make([]byte, MaxFileBytes+1)})
	large := archived(t, manyFiles(MaxBytes/MaxFileBytes+1, MaxFileBytes)...)
	nested := archived(t, File{"web/Chart.yaml", about}, File{"web/charts/a.tgz", large}, File{"web/charts/b.tgz", large})
	deep := archived(t, File{"web/Chart.yaml", about})
	for range maxDepth + 1 {
		deep = archived(t, File{"web/Chart.yaml", about}, File{"web/charts/a.tgz", deep})
	}
	var crowd []File
	for i := range maxCharts + 1 {
		crowd = append(crowd, File{fmt.Sprintf("web/charts/c%d/Chart.yaml", i), about})
	}
	cases := map[string]struct {
		data []byte
		want string
	}{
		"NoArchive":    {[]byte("apiVersion: v2"), "gzip"},
		"NoTar":        {gzipped(t, []byte(strings.Repeat("x", 2000))), "broken archive"},
		"Cut":          {archived(t, File{"web/Chart.yaml", about})[:60], "broken archive"},
		"Empty":        {archived(t), "no files"},
		"Bomb":         {bomb, "larger than 5 MiB"},
		"Large":        {large, "larger than 100 MiB"},
		"LargeInside":  {nested, "larger than 100 MiB"},
		"Deep":         {deep, "in each other"},
		"ManyCharts":   {archived(t, append(crowd, File{"web/Chart.yaml", about})...), "more than 500 charts"},
		"ManyFiles":    {archived(t, manyFiles(MaxFiles+1, 0)...), "more than 20000 files"},
		"Link":         {archived(t, File{"web/Chart.yaml", about}, File{"web/values.yaml", []byte("link:/etc/passwd")}), "is a link"},
		"Absolute":     {archived(t, File{"web//etc/passwd", nil}), "outside of the chart"},
		"Parent":       {archived(t, File{"web/../../x", nil}), "outside of the chart"},
		"Backslash":    {archived(t, File{`web\..\..\x`, nil}), "outside of the chart"},
		"Drive":        {archived(t, File{`web\c:\x`, nil}), "outside of the chart"},
		"NoFolder":     {archived(t, File{"Chart.yaml", about}), "must be in a folder"},
		"FolderItself": {archived(t, File{"web", nil}), "outside of the chart"},
		"NoChart":      {archived(t, File{"web/values.yaml", nil}), "Chart.yaml"},
		"BadName":      {archived(t, File{"web/Chart.yaml", []byte("apiVersion: v2\nname: ../x\nversion: 1.0.0\n")}), "name"},
		"BadValues":    {archived(t, File{"web/Chart.yaml", about}, File{"web/values.yaml", []byte("a: [")}), "values.yaml"},
		"AliasBomb":    {archived(t, File{"web/Chart.yaml", about}, File{"web/values.yaml", aliasBomb()}), "values.yaml"},
		"FileInCharts": {archived(t, File{"web/Chart.yaml", about}, File{"web/charts/x.txt", nil}), "no chart"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			files, err := Archive(tc.data)
			if err == nil {
				_, err = Load(files)
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || len(err.Error()) > 400 {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}

func gzipped(t testing.TB, data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func manyFiles(n, size int) (all []File) {
	data := make([]byte, size)
	for i := range n {
		all = append(all, File{fmt.Sprintf("web/f%d", i), data})
	}
	return append(all, File{"web/Chart.yaml", about})
}

// aliasBomb are aliases of aliases.
func aliasBomb() []byte {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	return []byte(b.String())
}

// TestFolderIgnores leaves out what .helmignore names, as TestHelm does with Helm, and refuses what is too large.
func TestFolderIgnores(t *testing.T) {
	got, err := Folder([]File{{"b/x", nil}, {"b.bak", nil}, {".helmignore", []byte("*.bak\nb/\n")}, {"a", []byte("\xef\xbb\xbftext")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []File{{".helmignore", []byte("*.bak\nb/\n")}, {"a", []byte("text")}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := Folder([]File{{"large", make([]byte, MaxFileBytes+1)}}); err == nil {
		t.Error("a file that is too large is taken")
	}
	if _, err := Folder([]File{{".helmignore", []byte("a/**/b\n")}}); err == nil || !strings.Contains(err.Error(), ".helmignore") {
		t.Errorf("%v does not name .helmignore", err)
	}
}

// TestHostileSchemas refuses a schema whose references double the work, and one that needs another file.
func TestHostileSchemas(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/$defs/a0", "$defs": {"a40": {"type": "object"}`)
	for i := range 40 {
		fmt.Fprintf(&b, `, "a%d": {"anyOf": [{"not": {"$ref": "#/$defs/a%d"}}, {"$ref": "#/$defs/a%d"}]}`, i, i+1, i+1)
	}
	b.WriteString("}}")
	anchors := regexp.MustCompile(`"#/\$defs/(a\d+)"`).ReplaceAllString(b.String(), `"#$1"`)
	anchors = regexp.MustCompile(`"(a\d+)": \{`).ReplaceAllString(anchors, `"$1": {"$$anchor": "$1", `)
	cases := map[string]struct{ schema, want string }{
		"Doubling":  {b.String(), "too long"},
		"Anchors":   {anchors, "too long"},
		"Deep":      {strings.Repeat(`{"not": `, 2000) + "true" + strings.Repeat("}", 2000), "too long"},
		"Far":       {`{"$ref": "other.json"}`, "nothing is fetched"},
		"Recursive": {`{"$ref": "#/$defs/t", "$defs": {"t": {"properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}}}}}`, ""},
		"Loop":      {`{"$ref": "#/$defs/t", "$defs": {"t": {"$ref": "#/$defs/t"}}}`, ""},
		"NoJSON":    {`{`, "EOF"},
		"URN":       {`{"$ref": "urn:x"}`, ""},
		"LoopAllOf": {`{"allOf": [{"$ref": "#"}]}`, "would not end"},
		"LoopTwo":   {`{"$ref": "#/$defs/a", "$defs": {"a": {"if": {"$ref": "#/$defs/b"}}, "b": {"not": {"$ref": "#/$defs/a"}}}}`, "would not end"},
		"Newer":     {`{"unevaluatedProperties": false}`, "keyword unevaluatedProperties is not supported"},
		"Named":     {`{"properties": {"unevaluatedProperties": {"type": "string"}}}`, ""},
		"Dependent": {`{"dependentRequired": {"l": ["m"]}}`, "dependency on m"},
		"Both":      {`{"dependentRequired": {"l": ["m"]}, "dependentSchemas": {"l": {"properties": {"l": {"type": "string"}}}}}`, "m is required"},
		"Anchor":    {`{"$anchor": "x"}`, "keyword $anchor is not supported"},
		"Tuple":     {`{"properties": {"l": {"properties": {"r": {"type": "array", "prefixItems": [{}]}}}}}`, "l.r: "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c, err := Load([]File{{"Chart.yaml", about}, {"values.schema.json", []byte(tc.schema)}, {"templates/x.yaml", nil}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Render(Options{Values: map[string]any{"l": map[string]any{"r": map[string]any{}}}})
			if tc.want == "" && err != nil && name != "Loop" || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}
