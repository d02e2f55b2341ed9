package chart

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// FuzzArchive reads archives: what is accepted has clean names and the sizes that the bounds allow, and renders the same twice.
func FuzzArchive(f *testing.F) {
	f.Add(archived(f, File{"web/Chart.yaml", about}, File{"web/templates/x.yaml", []byte("a: {{ .Values.a }}")}))
	f.Add(archived(f, File{"web/Chart.yaml", about}, File{`web\charts\a.tgz`, archived(f, File{"a/Chart.yaml", about})}))
	f.Add(archived(f, File{"web/../x", about}))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := Archive(data)
		if err != nil {
			return
		}
		for _, file := range files {
			if strings.HasPrefix(file.Name, "/") || strings.Contains("/"+file.Name+"/", "/../") || len(file.Data) > MaxFileBytes {
				t.Errorf("file %q of %d bytes is taken", file.Name, len(file.Data))
			}
		}
		checkSame(t, files, nil)
	})
}

// FuzzChart renders charts in the form of a txtar file, with values. The same files and values give the same manifests, whatever
// was rendered before.
func FuzzChart(f *testing.F) {
	cases, err := filepath.Glob("testdata/charts/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatal("no charts", err)
	}
	for _, file := range cases {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(txtar.Format(archive))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var files []File
		var values []byte
		for _, file := range txtar.Parse(data).Files {
			if name, ok := strings.CutPrefix(file.Name, "chart/"); ok {
				files = append(files, File{name, file.Data})
			} else if file.Name == "values.yaml" {
				values = file.Data
			}
		}
		if files, err = Folder(files); err == nil {
			checkSame(t, files, values)
		}
	})
}

// checkSame renders files twice: with a chart that was rendered with other values before, and with a new one.
func checkSame(t *testing.T, files []File, text []byte) {
	values, err := ParseValues("values.yaml", text)
	if err != nil {
		return
	}
	used, err := Load(files)
	if err != nil {
		return
	}
	before, _ := ParseValues("values.yaml", text)
	_, _ = used.Render(Options{Release: "other", IncludeCRDs: true})
	first, err := used.Render(Options{Values: values})
	fresh, loadErr := Load(files)
	if loadErr != nil {
		t.Fatalf("not read again: %v", loadErr)
	}
	second, err2 := fresh.Render(Options{Values: values})
	if (err == nil) != (err2 == nil) || len(first) != len(second) {
		t.Fatalf("%d manifests, %v; then %d, %v", len(first), err, len(second), err2)
	}
	for i := range first {
		if first[i].File != second[i].File || first[i].Content != second[i].Content {
			t.Errorf("%s differs:\n%s\n%s", first[i].File, first[i].Content, second[i].Content)
		}
	}
	if d := cmp.Diff(before, values); d != "" {
		t.Errorf("rendering changes the caller's values:\n%s", d)
	}
}

// FuzzValues lays values over values: nothing changes what it is given, and the order of laying does not matter.
func FuzzValues(f *testing.F) {
	f.Add([]byte("a: {b: 1}"), []byte("a: {c: null}"), []byte("a: [1]\n---\nb: ~"))
	f.Add([]byte("a: b"), []byte("a: {c: d}"), []byte("{}"))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		var all []map[string]any
		for _, text := range [][]byte{a, b, c} {
			v, err := ParseValues("values.yaml", text)
			if err != nil {
				if bytes.Contains(text, []byte("hunter2")) && strings.Contains(err.Error(), "hunter2") {
					t.Errorf("the error shows a value: %v", err)
				}
				return
			}
			all = append(all, v)
		}
		x, y, z := all[0], all[1], all[2]
		copies := []map[string]any{copyMap(x), copyMap(y), copyMap(z)}
		if d := cmp.Diff(Overlay(Overlay(x, y), z), Overlay(x, Overlay(y, z))); d != "" && !shadows(x, y, z) {
			t.Errorf("laying is not associative:\n%s", d)
		}
		if d := cmp.Diff(copies, all); d != "" {
			t.Errorf("values were changed:\n%s", d)
		}
	})
}

// shadows reports whether a value that is no map lies between maps at the same place, which decides there.
func shadows(x, y, z map[string]any) bool {
	for key, value := range y {
		below, isMap := value.(map[string]any)
		outer, xMap := x[key].(map[string]any)
		upper, zMap := z[key].(map[string]any)
		if !isMap && xMap && zMap || isMap && shadows(outer, below, upper) {
			return true
		}
	}
	return false
}
