package mergetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// triple is a generated package and two edits of it.
type triple struct{ Base, Theirs, Ours pkgtree.Tree }

// Generate returns the triple of a seed. plain leaves out what kpt handles differently according to
// docs/pkg-differences.md.
func Generate(t testing.TB, seed uint64, plain bool) triple {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 5)), plain: plain}
	start := g.start()
	theirs, ours := start.clone(), start.clone()
	for range g.rng.IntN(16) {
		g.edit(theirs, true)
	}
	for range g.rng.IntN(16) {
		g.edit(ours, false)
	}
	return triple{start.tree(t), theirs.tree(t), ours.tree(t)}
}

type generator struct {
	rng   *rand.Rand
	plain bool
}

// made is a generated package: objects by file, and other files as text.
type made struct {
	objects map[string][]map[string]any
	texts   map[string]string
}

func (m *made) clone() *made {
	out := &made{objects: map[string][]map[string]any{}, texts: maps.Clone(m.texts)}
	for f, objects := range m.objects {
		for _, o := range objects {
			out.objects[f] = append(out.objects[f], cloned(o).(map[string]any))
		}
	}
	return out
}

func cloned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = cloned(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = cloned(v[i])
		}
		return out
	}
	return v
}

func (m *made) tree(t testing.TB) pkgtree.Tree {
	t.Helper()
	files := maps.Clone(m.texts)
	for f, objects := range m.objects {
		var all []*krm.Object
		for _, o := range objects {
			k, err := krm.FromTyped(o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, k)
		}
		data, err := krm.Write(all)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 0 {
			files[f] = string(data)
		}
	}
	return Tree(t, files)
}

func (g *generator) pick(from ...string) string { return from[g.rng.IntN(len(from))] }

// chance is true with probability 1/n.
func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

func (g *generator) word() string { return g.pick("x", "y", "z", "on", "12", "a b", "") }

// folders are the root, a subpackage and one in it.
var folders = []string{"", "sub/", "sub/deep/"}

func (g *generator) start() *made {
	m := &made{objects: map[string][]map[string]any{}, texts: map[string]string{}}
	for _, dir := range folders[:1+g.rng.IntN(len(folders))] {
		g.addPackage(m, dir)
	}
	return m
}

func (g *generator) addPackage(m *made, dir string) {
	m.objects[dir+"Kptfile"] = []map[string]any{g.kptfile()}
	m.objects[dir+"keep.yaml"] = []map[string]any{g.object("ConfigMap", "keep")} // kpt keeps the last object, too
	for _, f := range []string{"app.yaml", "config.yaml", "more/all.yaml"} {
		if g.chance(3) {
			continue
		}
		for i := range 1 + g.rng.IntN(3) {
			m.objects[dir+f] = append(m.objects[dir+f], g.object(g.pick("Deployment", "ConfigMap", "Gate", "Service"), fmt.Sprint("o", i)))
		}
	}
	for _, f := range []string{"README.md", "data.json"} {
		if g.chance(2) {
			m.texts[dir+f] = g.word() + "\n"
		}
	}
}

func (g *generator) kptfile() map[string]any {
	var fns []any
	for _, image := range []string{"r/set-a:v1", "r/set-b:v1", "r/set-c@sha256:00"}[:g.rng.IntN(4)] {
		fns = append(fns, map[string]any{"image": image})
	}
	k := map[string]any{"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": map[string]any{"name": "pkg"},
		"info": map[string]any{"description": g.pick("one", "two")}}
	if len(fns) > 0 {
		k["pipeline"] = map[string]any{"mutators": fns}
	}
	return k
}

func (g *generator) object(kind, name string) map[string]any {
	version := map[string]string{"Deployment": "apps/v1", "Gate": "x.dev/v1"}[kind]
	if version == "" {
		version = "v1"
	}
	o := map[string]any{"apiVersion": version, "kind": kind, "metadata": map[string]any{"name": name, "labels": g.words()}}
	switch kind {
	case "ConfigMap":
		o["data"] = g.words()
	case "Service":
		o["spec"] = map[string]any{"ports": g.ports("port")}
	case "Gate":
		o["spec"] = map[string]any{"routes": []any{map[string]any{"name": "r", "to": g.word()}},
			"flags": []any{g.word(), "f"}, "deep": map[string]any{"a": g.words()}}
	case "Deployment":
		o["spec"] = map[string]any{"replicas": 1 + g.rng.IntN(3),
			"template": map[string]any{"spec": map[string]any{"containers": g.containers()}}}
	}
	return o
}

func (g *generator) words() map[string]any {
	out := map[string]any{"kept": "k"}
	for _, k := range []string{"a", "b", "c.d/e"} {
		if !g.chance(3) {
			out[k] = g.word()
		}
	}
	return out
}

func (g *generator) ports(key string) (out []any) {
	for _, p := range []int{80, 443, 53} {
		if !g.chance(2) {
			out = append(out, map[string]any{key: p, "protocol": g.pick("TCP", "UDP"), "name": g.pick("p", "q")})
		}
	}
	return append(out, map[string]any{key: 9, "protocol": "TCP", "name": "last"})
}

func (g *generator) containers() (out []any) {
	for _, name := range []string{"web", "proxy", "side"}[:1+g.rng.IntN(3)] {
		out = append(out, map[string]any{"name": name, "image": g.pick("i:1", "i:2"), "args": []any{g.word(), "-v"},
			"env":   []any{map[string]any{"name": "A", "value": g.word()}, map[string]any{"name": "B", "value": g.word()}},
			"ports": g.ports("containerPort")})
	}
	return out
}

// edit changes one thing.
func (g *generator) edit(m *made, upstream bool) {
	files := slices.Sorted(maps.Keys(m.objects))
	file := files[g.rng.IntN(len(files))]
	switch what := g.rng.IntN(12); {
	case document.IsKptfile(file):
		g.editKptfile(m.objects[file][0], upstream)
	case what == 0 && !strings.HasSuffix(file, "keep.yaml"):
		objects := m.objects[file]
		at := g.rng.IntN(len(objects))
		if m.objects[file] = slices.Delete(objects, at, at+1); len(m.objects[file]) == 0 {
			delete(m.objects, file)
		}
	case what == 1:
		name := fmt.Sprint("new", g.rng.IntN(3))
		if !slices.ContainsFunc(m.objects[file], func(o map[string]any) bool { return o["metadata"].(map[string]any)["name"] == name }) {
			m.objects[file] = append(m.objects[file], g.object("ConfigMap", name))
		}
	case what == 2:
		g.editText(m)
	case what == 3 && g.chance(3):
		g.editPackage(m)
	default:
		g.change(m.objects[file][g.rng.IntN(len(m.objects[file]))], false)
	}
}

func (g *generator) editText(m *made) {
	file := g.pick("README.md", "data.json", "sub/README.md", "new.txt", ".gitignore")
	if strings.HasPrefix(file, "sub/") && m.objects["sub/Kptfile"] == nil {
		return
	}
	if g.chance(4) {
		delete(m.texts, file)
	} else {
		m.texts[file] = g.word() + g.word() + "\n"
	}
}

func (g *generator) editPackage(m *made) {
	if m.objects["sub/Kptfile"] == nil {
		g.addPackage(m, "sub/")
		return
	}
	maps.DeleteFunc(m.objects, func(f string, _ []map[string]any) bool { return strings.HasPrefix(f, "sub/") })
	maps.DeleteFunc(m.texts, func(f, _ string) bool { return strings.HasPrefix(f, "sub/") })
}

// editKptfile changes a pipeline or a field. Only ours removes and configures functions, since kpt may
// write an incomplete function otherwise.
func (g *generator) editKptfile(k map[string]any, upstream bool) {
	pipeline, _ := k["pipeline"].(map[string]any)
	fns, _ := pipeline["mutators"].([]any)
	switch what := g.rng.IntN(4); {
	case what == 0 && len(fns) > 0 && upstream:
		fns[0].(map[string]any)["image"] = g.pick("r/set-a:v2", "r/set-a:v3")
	case what == 0 && len(fns) > 0:
		fns[0].(map[string]any)["configMap"] = map[string]any{"k": g.pick("x", "y")}
	case what == 1 && len(fns) > 1 && !upstream:
		pipeline["mutators"] = fns[:len(fns)-1]
	case what == 2 && len(fns) > 0:
		image := g.pick("r/more-a:v1", "r/more-b:v1")
		if !strings.Contains(fmt.Sprint(fns), image[:8]) {
			pipeline["mutators"] = append(fns, map[string]any{"image": image})
		}
	default:
		k["info"].(map[string]any)[g.pick("description", "site", "man")] = g.pick("one", "two", "three")
	}
}

// change changes a field or an item of v, or a value below. inList means that v is an item, whose name must
// stay.
func (g *generator) change(v map[string]any, inItem bool) {
	var keys []string
	for _, k := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains([]string{"apiVersion", "kind", "name", "port", "containerPort", "protocol", "kept"}, k) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return
	}
	key := keys[g.rng.IntN(len(keys))]
	switch e := v[key].(type) {
	case map[string]any:
		if words := key == "labels" || key == "data" || key == "a"; words && g.chance(6) {
			delete(v, key)
		} else if words {
			g.changeWords(e)
		} else {
			g.change(e, false)
		}
	case []any:
		v[key] = g.changeList(key, e)
	case int:
		v[key] = 1 + g.rng.IntN(5)
	default:
		if v[key] = any(g.word()); !inItem && g.chance(4) {
			delete(v, key)
		}
	}
}

func (g *generator) changeWords(m map[string]any) {
	key := g.pick("a", "b", "c.d/e", "new")
	switch {
	case g.chance(3):
		delete(m, key)
	case !g.plain && g.chance(6):
		m[key] = nil
	default:
		m[key] = g.word()
	}
}

func (g *generator) changeList(key string, list []any) []any {
	at := g.rng.IntN(len(list))
	item, isMap := list[at].(map[string]any)
	switch what := g.rng.IntN(5); {
	case what == 0 && len(list) > 1:
		return slices.Delete(list, at, at+1)
	case what == 1 && !isMap:
		return append(list, g.word())
	case what == 1 && key == "containers":
		name := g.pick("new", "extra")
		if strings.Contains(fmt.Sprint(list), "name:"+name) {
			return list
		}
		return append(list, map[string]any{"name": name, "image": g.pick("i:1", "i:2"), "args": []any{"-n"}})
	case what == 2 && !g.plain:
		g.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case isMap:
		g.change(item, true)
	default:
		list[at] = g.word()
	}
	return list
}
