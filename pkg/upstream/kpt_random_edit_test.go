package upstream_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// randomEdit is one change of one file. What it needs and does not find makes it do nothing, so that any of
// several may be left out.
type randomEdit struct {
	do     string // "set", "drop", "remove" (an object), "add" (one), "write" (a text), "delete" (a file or folder)
	file   string
	object string   // by name
	path   []string // of keys; "name=x" is an item of a list
	value  any
}

func (e randomEdit) String() string {
	out := e.do + " " + e.file
	if e.object != "" {
		out += " " + e.object
	}
	if len(e.path) > 0 {
		out += " " + strings.Join(e.path, ".")
	}
	if e.value != nil {
		out += fmt.Sprintf(" %v", e.value)
	}
	return out
}

// apply makes the change in files.
func (e randomEdit) apply(t testing.TB, files map[string]string) {
	t.Helper()
	switch e.do {
	case "write":
		files[e.file] = e.value.(string)
	case "delete":
		maps.DeleteFunc(files, func(p, _ string) bool { return p == e.file || strings.HasPrefix(p, e.file+"/") })
	default:
		e.applyToObjects(t, files)
	}
}

func (e randomEdit) applyToObjects(t testing.TB, files map[string]string) {
	t.Helper()
	objects, err := krm.Read(e.file, []byte(files[e.file]), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(objects, func(o *krm.Object) bool { return o.Name() == e.object || strings.HasSuffix(e.file, "Kptfile") })
	switch {
	case e.do == "add" && at < 0 && hasPackage(files, e.file):
		objects = append(objects, newObject(t, e.value))
	case at < 0 || e.do == "add":
		return
	case e.do == "remove":
		objects = slices.Delete(objects, at, at+1)
	default:
		e.applyToField(t, objects[at].Node())
	}
	text, err := krm.Write(objects)
	if err != nil {
		t.Fatal(err)
	}
	if files[e.file] = string(text); len(text) == 0 {
		delete(files, e.file)
	}
}

// hasPackage reports whether the package that file is to be in is there.
func hasPackage(files map[string]string, file string) bool {
	for p := range files {
		if dir, ok := strings.CutSuffix(p, "Kptfile"); ok && dir != "" && strings.HasPrefix(file, dir) {
			return true
		}
	}
	return !strings.HasPrefix(file, "sub/") && !strings.HasPrefix(file, "far/")
}

func (e randomEdit) applyToField(t testing.TB, n *yaml.Node) {
	t.Helper()
	for _, step := range e.path[:len(e.path)-1] {
		if n = stepInto(n, step); n == nil {
			return
		}
	}
	last := e.path[len(e.path)-1]
	name, isItem := strings.CutPrefix(last, "name=")
	switch {
	case isItem && n.Kind == yaml.SequenceNode && e.do == "drop":
		n.Content = slices.DeleteFunc(n.Content, func(i *yaml.Node) bool { return nameOf(i) == name })
	case isItem && n.Kind == yaml.SequenceNode:
		if stepInto(n, last) == nil {
			n.Content = append(n.Content, nodeOf(t, e.value))
		}
	case n.Kind != yaml.MappingNode:
	case e.do == "drop":
		krm.RemoveField(n, last)
	default:
		krm.SetField(n, last, nodeOf(t, e.value))
	}
}

func stepInto(n *yaml.Node, step string) *yaml.Node {
	name, isItem := strings.CutPrefix(step, "name=")
	if !isItem {
		return krm.Lookup(n, step)
	}
	for _, i := range n.Content {
		if nameOf(i) == name {
			return i
		}
	}
	return nil
}

func nameOf(item *yaml.Node) string {
	for _, key := range []string{"name", "image"} {
		if n := krm.Lookup(item, key); n != nil {
			return n.Value
		}
	}
	return ""
}

func nodeOf(t testing.TB, v any) *yaml.Node {
	t.Helper()
	n, err := krm.NodeOf(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func newObject(t testing.TB, v any) *krm.Object {
	t.Helper()
	o, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
