package upstream_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
)

// randomTriple is a random package of up to four, one of them maybe from another repository, and what is done to
// each of them before it is updated.
type randomTriple struct {
	base, far           map[string]string // files of the package and of the other repository, at v1
	theirs, moves, ours []randomEdit      // of the package upstream, of the other repository, and here
	strategy            merge.Strategy
	updates             []string // the refs to update to
}

type maker struct{ rng *rand.Rand }

func newTriple(t testing.TB, seed uint64) *randomTriple {
	t.Helper()
	m := &maker{rand.New(rand.NewPCG(seed, 56))}
	tr := &randomTriple{base: map[string]string{}, far: map[string]string{}, strategy: merge.ResourceMerge, updates: []string{"v2"}}
	m.fill(t, tr.base, "")
	m.fill(t, tr.far, "")
	got := maps.Clone(tr.base)
	if m.chance(2) {
		m.fill(t, tr.base, "sub/")
		if m.chance(2) {
			m.fill(t, tr.base, "sub/deep/")
		}
		got = maps.Clone(tr.base)
	}
	if m.chance(2) {
		m.addFar(t, tr, got)
	}
	tr.theirs = m.edits(t, tr.base, 1+m.rng.IntN(10), true)
	tr.moves = m.edits(t, tr.far, m.rng.IntN(5), true)
	tr.moves = slices.DeleteFunc(tr.moves, func(e randomEdit) bool { return e.file == "far/Kptfile" }) // it would contain itself
	tr.ours = m.edits(t, got, m.rng.IntN(10), false)
	m.choose(tr)
	return tr
}

// choose chooses how to update.
func (m *maker) choose(tr *randomTriple) {
	switch m.rng.IntN(6) {
	case 0:
		tr.strategy = merge.ForceDeleteReplace
	case 1:
		if tr.strategy = merge.FastForward; !m.chance(3) {
			tr.ours = nil
		}
	}
	switch m.rng.IntN(6) {
	case 0:
		tr.updates = []string{"v2", "v2"}
	case 1:
		tr.updates = []string{"v2", "v1"}
	}
}

// addFar puts a subpackage from the other repository into the package: fetched upstream already, or not.
func (m *maker) addFar(t testing.TB, tr *randomTriple, got map[string]string) {
	t.Helper()
	dir := m.pick("far/", "far/", "sub/far/")
	if dir == "sub/far/" && tr.base["sub/Kptfile"] == "" {
		dir = "far/"
	}
	ref, lock := m.pick("v1", "trunk"), m.chance(2)
	for p, text := range tr.far {
		if got[dir+p] = text; lock {
			tr.base[dir+p] = text
		}
	}
	tr.base[dir+"Kptfile"] = farKptfile(ref, lock, m.pick("resource-merge", "resource-merge", "force-delete-replace"))
	got[dir+"Kptfile"] = farKptfile(ref, true, "resource-merge")
}

func farKptfile(ref string, lock bool, strategy string) string {
	text := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: far\nupstream:\n  type: git\n  git:\n    repo: $BASE/far\n    directory: /\n    ref: " + ref +
		"\n  updateStrategy: " + strategy + "\n"
	if lock {
		text += "upstreamLock:\n  type: git\n  git:\n    repo: $BASE/far\n    directory: /\n    ref: v1\n    commit: $COMMIT(far@v1)\n"
	}
	return text
}

// archive is what is published: the other repository's v1, the package's, and then what became of both.
func (tr *randomTriple) archive(t testing.TB) (out []txtar.File) {
	t.Helper()
	add := func(at string, files map[string]string, edits []randomEdit) {
		files = maps.Clone(files)
		for _, e := range edits {
			e.apply(t, files)
		}
		for _, p := range slices.Sorted(maps.Keys(files)) {
			out = append(out, txtar.File{Name: at + p, Data: []byte(files[p])})
		}
	}
	add("v1:far/", tr.far, nil)
	add("v1:repo/web/", tr.base, nil)
	add("v2:far/", tr.far, tr.moves)
	add("v2:repo/web/", tr.base, tr.theirs)
	return out
}

func (tr *randomTriple) String() string {
	out := ""
	for name, files := range map[string]map[string]string{"far": tr.far, "web": tr.base} {
		for _, p := range slices.Sorted(maps.Keys(files)) {
			out += fmt.Sprintf("-- %s/%s --\n%s", name, p, files[p])
		}
	}
	return out + fmt.Sprintf("theirs: %q\nfar: %q\nours: %q\nupdates to %v by %s", tr.theirs, tr.moves, tr.ours, tr.updates, tr.strategy)
}

func (m *maker) pick(from ...string) string { return from[m.rng.IntN(len(from))] }

// chance is true once in n times.
func (m *maker) chance(n int) bool { return m.rng.IntN(n) == 0 }

func (m *maker) word() string { return m.pick("x", "y", "z", "on", "12", "a b", "") }

// fill fills a package.
func (m *maker) fill(t testing.TB, files map[string]string, dir string) {
	t.Helper()
	if dir != "" || !m.chance(6) {
		m.put(t, files, dir+"Kptfile", m.kptfile(strings.TrimSuffix("web/"+dir, "/")))
	}
	if !m.chance(8) {
		m.put(t, files, dir+"keep.yaml", m.object("ConfigMap", "keep"))
	}
	for _, f := range []string{"app.yaml", "more/all.yaml"} {
		var objects []any
		for i := range m.rng.IntN(4) {
			objects = append(objects, m.object(m.pick("Deployment", "ConfigMap", "Gate", "Service"), fmt.Sprint("o", i)))
		}
		if len(objects) > 0 {
			m.put(t, files, dir+f, objects...)
		}
	}
	for _, f := range []string{"README.md", "data.json", ".gitignore"} {
		if m.chance(2) {
			files[dir+f] = m.word() + "\n"
		}
	}
	if len(files) == 0 {
		files["README.md"] = "x\n"
	}
}

func (m *maker) put(t testing.TB, files map[string]string, file string, objects ...any) {
	t.Helper()
	var all []*krm.Object
	for _, o := range objects {
		all = append(all, newObject(t, o))
	}
	text, err := krm.Write(all)
	if err != nil {
		t.Fatal(err)
	}
	files[file] = string(text)
}
