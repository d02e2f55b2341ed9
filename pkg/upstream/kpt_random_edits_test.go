package upstream_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// edits makes n changes that files take, one after the other.
func (m *maker) edits(t testing.TB, files map[string]string, n int, upstream bool) (out []randomEdit) {
	t.Helper()
	files = maps.Clone(files)
	for range n {
		var e randomEdit
		switch what := m.rng.IntN(14); {
		case what < 2:
			e = m.editText()
		case what == 2:
			e = m.editFolder(files)
		case what == 3:
			e = randomEdit{do: "delete", file: m.resource(files)}
			if upstream && strings.HasSuffix(e.file, "far/Kptfile") {
				continue // kpt has many ways with that: see the case remote-kptfile-gone
			}
		case what == 4:
			e = m.addObject(files)
		default:
			e = m.editObject(t, files, m.resource(files))
		}
		if e.file != "" {
			e.apply(t, files)
			out = append(out, e)
		}
	}
	return out
}

// resource is a file of objects, or "".
func (m *maker) resource(files map[string]string) string {
	var found []string
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(p) == ".yaml" || path.Base(p) == "Kptfile" && p != "Kptfile" || p == "Kptfile" && m.chance(2) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return ""
	}
	file := m.pick(found...)
	return file
}

func (m *maker) editText() randomEdit {
	file := m.pick("README.md", "data.json", ".gitignore", "new.txt", "more/new.txt", "folder/new.txt")
	if m.chance(4) {
		return randomEdit{do: "delete", file: file}
	}
	return randomEdit{do: "write", file: file, value: m.word() + m.word() + "\n"}
}

// editFolder deletes a subpackage, or makes one.
func (m *maker) editFolder(files map[string]string) randomEdit {
	dir := m.pick("sub", "far", "sub/deep")
	switch _, there := files[dir+"/Kptfile"]; {
	case there && m.chance(2):
		return randomEdit{do: "delete", file: dir}
	case there || dir == "sub/deep":
		return randomEdit{}
	case dir == "far":
		return randomEdit{do: "write", file: "far/Kptfile", value: farKptfile(m.pick("v1", "trunk"), false, "resource-merge")}
	}
	return randomEdit{do: "write", file: dir + "/Kptfile", value: "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: " + path.Base(dir) + "\n"}
}

func (m *maker) addObject(files map[string]string) randomEdit {
	name, file := m.pick("new1", "new2"), m.pick("app.yaml", "new.yaml", "sub/app.yaml", "more/new.yaml")
	if strings.HasPrefix(file, "sub/") && files["sub/Kptfile"] == "" {
		return randomEdit{}
	}
	return randomEdit{do: "add", file: file, object: name, value: m.object(m.pick("ConfigMap", "Gate"), name)}
}

func (m *maker) editObject(t testing.TB, files map[string]string, file string) randomEdit {
	t.Helper()
	objects, err := krm.Read(file, []byte(files[file]), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) == 0 {
		return randomEdit{}
	}
	o := objects[m.rng.IntN(len(objects))]
	e := randomEdit{do: m.pick("set", "set", "drop"), file: file, object: o.Name()}
	if m.chance(8) && path.Base(file) != "Kptfile" {
		e.do = "remove"
		return e
	}
	e.path, e.value = m.fieldOf(o.Kind())
	if e.do == "drop" {
		e.value = nil
	}
	return e
}

// fieldOf is a field that objects of a kind have, and a value for it.
func (m *maker) fieldOf(kind string) ([]string, any) {
	word := m.pick("a", "b", "c.d/e", "new")
	if m.chance(4) {
		return []string{"metadata", "labels", word}, m.word()
	}
	containers := []string{"spec", "template", "spec", "containers"}
	item := m.pick("web", "proxy", "new")
	switch kind {
	case "Kptfile":
		return m.kptfileField()
	case "Service":
		return []string{"spec", "type"}, m.word()
	case "Gate":
		if m.chance(2) {
			return []string{"spec", "routes"}, []any{map[string]any{"name": m.pick("r", "s"), "to": m.word()}}
		}
		return []string{"spec", "deep", "a", word}, m.word()
	case "Deployment":
		switch m.rng.IntN(5) {
		case 0:
			return []string{"spec", "replicas"}, 1 + m.rng.IntN(5)
		case 1:
			return append(containers, "name="+item), m.container(item)
		case 2:
			return append(containers, "name="+item, "args"), []any{m.word(), m.word()}
		case 3:
			return append(containers, "name="+item, "env", "name="+m.pick("A", "B", "C"), "value"), m.word()
		}
		return append(containers, "name="+item, "image"), m.pick("i:1", "i:2", "i:3")
	}
	return []string{"data", word}, m.word()
}

func (m *maker) kptfileField() ([]string, any) {
	switch m.rng.IntN(3) {
	case 0:
		image := m.pick("r/set-a:v1", "r/set-b:v1", "r/set-c:v1")
		return []string{"pipeline", "mutators", "name=" + image}, map[string]any{"image": image, "configMap": map[string]any{"a": m.pick("x", "y")}}
	case 1:
		return []string{"info", m.pick("description", "site", "man")}, m.pick("one", "two", "three")
	}
	return []string{"info", "description"}, m.pick("one", "two", "three")
}
