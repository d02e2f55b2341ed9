package diff

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// checkChangeLaws holds for every two trees.
func checkChangeLaws(t mergetest.Reporter, a, b pkgtree.Tree) {
	before := a.Digest() + b.Digest()
	there, back := changes(t, a, b), changes(t, b, a)
	if d := cmp.Diff(there, changes(t, a, b)); d != "" {
		t.Errorf("law broken: the same two trees make the same changes:\n%s", d)
	}
	for _, same := range []pkgtree.Tree{a, b} {
		if cs := changes(t, same, same); len(cs) > 0 {
			t.Errorf("law broken: a tree is not different from itself, got %s", cs[0])
		}
		if cs := changes(t, same, merge.AddMarks(same)); len(cs) > 0 {
			t.Errorf("law broken: marks are no change, got %s", cs[0])
		}
	}
	moved := movedObjects(there, back)
	if d := cmp.Diff(mirror(there, moved, false), mirror(back, moved, true)); d != "" {
		t.Errorf("law broken: the other way round it is the same changes (-there +back):\n%s", d)
	}
	differ := slices.Collect(maps.Keys(filesThatDiffer(a, b)))
	if len(there) == 0 && len(differ) > 0 {
		t.Errorf("law broken: no changes, but files %q differ", differ)
	}
	if files := filesOf(there); !containsAll(files, differ) {
		t.Errorf("law broken: files %q differ, and just %q are listed", differ, files)
	}
	for _, c := range there {
		if strings.ContainsAny(c.String(), "\n\r") || c.Kind == Changed && c.Field != "" && (c.From == nil || c.To == nil) {
			t.Errorf("law broken: a change is one line with both its values, got %q", c.String())
		}
	}
	if before != a.Digest()+b.Digest() {
		t.Errorf("law broken: to compare trees changes none of them")
	}
}

func containsAll(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// filesOf are the files that changes are about; of a move both.
func filesOf(cs []Change) (out []string) {
	for _, c := range cs {
		if out = append(out, c.File); c.Kind == Moved && c.Field == "" {
			out = append(out, *c.From)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func movedObjects(lists ...[]Change) map[krm.ID]bool {
	out := map[krm.ID]bool{}
	for _, c := range slices.Concat(lists...) {
		if c.Kind == Moved && c.Field == "" {
			out[c.Object] = true
		}
	}
	return out
}

// mirror is what changes say, sorted, without what is called as in one of the trees: the file of an
// object that moved, and the name of one that was renamed, or of a Kptfile.
func mirror(cs []Change, moved map[krm.ID]bool, turn bool) []string {
	var out []string
	for _, c := range cs {
		if moved[c.Object] {
			c.File, c.Package = "", ""
		}
		if document.IsKptfile(c.File) { // which is matched by its file alone
			c.Object = krm.ID{}
		}
		if turn {
			c.From, c.To = c.To, c.From
			switch c.Kind {
			case Added:
				c.Kind = Removed
			case Removed:
				c.Kind = Added
			}
		}
		out = append(out, fmt.Sprintln(c.Package, c.File, c.Object.Group, c.Object.Kind, c.Field, object.Show(c.From), object.Show(c.To), c.Kind))
	}
	slices.Sort(out)
	return out
}

var (
	markBehind     = regexp.MustCompile(`(?m)^(metadata:) # kpt-merge: \S+$`)
	markAnnotation = regexp.MustCompile(`(?m)^    (internal\.kpt\.dev/upstream-identifier|(internal\.)?config\.kubernetes\.io/(path|index)): .*\n`)
	noAnnotations  = regexp.MustCompile(`(?m)^  annotations:\n((?:    )|)`)
)

// filesThatDiffer are the files whose bytes differ by more than marks, and at the root by more than
// where it comes from. It does as a reader would, line by line.
func filesThatDiffer(a, b pkgtree.Tree) map[string]bool {
	out := map[string]bool{}
	for _, p := range a.Diff(b) {
		out[p] = true
		x, y := a.Blob(p), b.Blob(p)
		switch {
		case x == nil || y == nil:
		case p == kptfile.Name:
			out[p] = !saysButOrigin(x, y)
		case document.IsResourceFile(p):
			marked := document.Marked(p, x).Equal(y) || x.Equal(document.Marked(p, y))
			out[p] = !marked && unmarkedText(x) != unmarkedText(y)
		}
		if !out[p] {
			delete(out, p)
		}
	}
	return out
}

func unmarkedText(b *pkgtree.Blob) string {
	text := markAnnotation.ReplaceAllString(markBehind.ReplaceAllString(string(b.Data()), "$1"), "")
	return noAnnotations.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasSuffix(s, "    ") {
			return s
		}
		return ""
	})
}

// saysButOrigin reports whether two Kptfiles of which one has another origin are written the same but
// for it.
func saysButOrigin(a, b *pkgtree.Blob) bool {
	text := func(b *pkgtree.Blob) (rest, origin string) {
		objects, err := krm.Read(kptfile.Name, b.Data(), krm.Limits{})
		if err != nil || len(objects) != 1 {
			return string(b.Data()), ""
		}
		for _, field := range []string{"upstream", "upstreamLock"} {
			if n := objects[0].Lookup(field); n != nil {
				origin += fullText(n)
			}
			krm.RemoveField(objects[0].Node(), field)
		}
		out, err := krm.Write(objects)
		if err != nil {
			return string(b.Data()), ""
		}
		return string(out), origin
	}
	restA, originA := text(a)
	restB, originB := text(b)
	return restA == restB && originA != originB
}

// checkTakenOver holds for every two trees: what an untouched copy takes over is listed.
func checkTakenOver(t mergetest.Reporter, base, theirs pkgtree.Tree) {
	r, err := merge.Packages(base, theirs, base, merge.Options{})
	if err != nil {
		return
	}
	listed := map[string][]string{}
	for _, c := range changes(t, base, r.Tree) {
		listed[c.File] = append(listed[c.File], c.Field)
		if c.Kind == Moved && c.Field == "" {
			listed[*c.From] = append(listed[*c.From], "")
		}
	}
	for _, p := range base.Diff(r.Tree) {
		for _, field := range fieldsThatDiffer(p, base.Blob(p), r.Tree.Blob(p)) {
			if !slices.ContainsFunc(listed[p], func(f string) bool { return f == "" || strings.HasPrefix(field, f) || strings.HasPrefix(f, field) }) {
				t.Errorf("law broken: %s %s was taken over, and just %q are listed", p, field, listed[p])
			}
		}
	}
}

// fieldsThatDiffer are the fields of objects in two versions of a file that differ, down to lists. Objects
// that just one of them has have no fields.
func fieldsThatDiffer(p string, a, b *pkgtree.Blob) (out []string) {
	in := func(b *pkgtree.Blob) map[string]map[string]any {
		objects := map[string]map[string]any{}
		if b == nil || !document.IsResourceFile(p) {
			return nil
		}
		read, err := krm.Read(p, b.Data(), krm.Limits{})
		for _, o := range read {
			if v, errV := krm.Value(o.Node()); err == nil && errV == nil {
				m := v.(map[string]any)
				mergetest.WithoutMark(m)
				withoutPlace(m)
				objects[o.ID().String()] = m
			}
		}
		return objects
	}
	before, after := in(a), in(b)
	for id, o := range before {
		if after[id] != nil {
			out = appendDiffering(out, nil, o, after[id])
		}
	}
	slices.Sort(out)
	return out
}

// withoutPlace drops what function runners say of where an object stands.
func withoutPlace(m map[string]any) {
	meta, _ := m["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	maps.DeleteFunc(annotations, func(name string, _ any) bool { return strings.Contains(name, "config.kubernetes.io/") })
	if len(annotations) == 0 {
		if _, isText := meta["annotations"].(string); !isText {
			delete(meta, "annotations")
		}
	}
}

func appendDiffering(out []string, at object.Path, a, b any) []string {
	ma, isA := a.(map[string]any)
	mb, isB := b.(map[string]any)
	switch {
	case cmp.Equal(a, b):
		return out
	case !isA || !isB:
		return append(out, at.String())
	}
	for key := range merged(ma, mb) {
		va, inA := ma[key]
		vb, inB := mb[key]
		if at := append(slices.Clone(at), key); inA && inB {
			out = appendDiffering(out, at, va, vb)
		} else {
			out = append(out, at.String())
		}
	}
	return out
}

func merged(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func TestChangeLawsOnGeneratedPackages(t *testing.T) {
	found := 0
	for _, seed := range testenv.Seeds(t, 40) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			p := mergetest.Generate(t, seed, false)
			for _, pair := range [][2]pkgtree.Tree{{p.Base, p.Theirs}, {p.Theirs, p.Ours}, {p.Ours, merge.AddMarks(p.Base)}} {
				checkChangeLaws(t, pair[0], pair[1])
				checkTakenOver(t, pair[0], pair[1])
				found += len(changes(t, pair[0], pair[1]))
			}
		})
	}
	if found == 0 {
		t.Error("made-up packages should differ")
	}
}

func TestChangeLawsOnGoldenCases(t *testing.T) {
	for _, g := range mergetest.Goldens(t, "../testdata") {
		t.Run(g.Name(), func(t *testing.T) {
			checkChangeLaws(t, g.Base, g.Theirs)
			checkChangeLaws(t, g.Theirs, g.Ours)
			checkTakenOver(t, g.Base, g.Theirs)
		})
	}
}
