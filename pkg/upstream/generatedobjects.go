package upstream

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// generatedIn returns the objects of a file that holds generated ones; ok is false for any other file.
func generatedIn(p string, b *pkgtree.Blob) (objects []*krm.Object, ok bool) {
	if !isYAML(p) || !holds(b, fn.GeneratedBy) {
		return nil, false
	}
	objects, err := krm.ReadLazyText(p, b, krm.Limits{}, "spec", fn.GeneratedBy)
	return objects, err == nil && slices.ContainsFunc(objects, fn.IsGenerated)
}

// holds reports whether a text is somewhere in a file.
func holds(b *pkgtree.Blob, text string) (found bool) {
	b.View(func(data []byte) { found = bytes.Contains(data, []byte(text)) })
	return found
}

// isGenerated reports whether all objects of a file are generated.
func isGenerated(p string, b *pkgtree.Blob) bool {
	objects, ok := generatedIn(p, b)
	return ok && !slices.ContainsFunc(objects, isNotGenerated)
}

func isNotGenerated(o *krm.Object) bool { return !fn.IsGenerated(o) }

// withoutGenerated removes generated objects.
func withoutGenerated(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return withoutGeneratedIn(tree, every)
}

// withoutGeneratedIn is withoutGenerated for the files for which wanted is true.
func withoutGeneratedIn(tree pkgtree.Tree, wanted func(string) bool) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for p, b := range tree.All() {
		objects, ok := generatedIn(p, b)
		if !ok || !wanted(p) {
			continue
		}
		data, err := krm.Write(slices.DeleteFunc(objects, fn.IsGenerated))
		if err != nil {
			return tree, err
		}
		if changes[p] = data; len(data) == 0 {
			changes[p] = nil
		}
	}
	if len(changes) == 0 {
		return tree, nil
	}
	return tree.Apply(changes)
}

// adoptMarks gives objects of ours without marks the marks of the objects of the same name in o:
// when functions rename objects, the name alone does not identify an object of upstream. Packages
// that were copied, and not made by Get, have no marks.
func adoptMarks(o, ours pkgtree.Tree) pkgtree.Tree {
	changes := map[string][]byte{}
	for p, b := range ours.All() {
		if !isYAML(p) || o.Blob(p) == nil || o.Blob(p).Equal(b) || holds(b, mark.IdentityAnnotation) {
			continue
		}
		if data := withMarksOf(p, o.Blob(p), b); data != nil {
			changes[p] = data
		}
	}
	if out, err := ours.Apply(changes); err == nil { // the paths are those of ours
		return out
	}
	return ours
}

// withMarksOf is a file with the marks of another; nil if there are none, or a file cannot be read.
func withMarksOf(p string, from, b *pkgtree.Blob) []byte {
	marked, err := krm.Read(p, from.Data(), krm.Limits{})
	if err != nil {
		return nil
	}
	objects, err := krm.Read(p, b.Data(), krm.Limits{})
	if err != nil {
		return nil
	}
	named := map[krm.ID]*krm.Object{}
	for _, m := range marked {
		if _, _, ok := mark.Read(m); ok {
			named[m.ID()] = m
		}
	}
	changed := false
	for i, object := range objects {
		if m := named[object.ID()]; m != nil {
			objects[i], changed = markedLike(m, object), true
		}
	}
	if !changed {
		return nil
	}
	data, err := krm.Write(objects)
	if err != nil {
		return nil
	}
	return data
}

// markedLike is o with the mark of m, and with its annotations at the place that they have in m.
func markedLike(m, o *krm.Object) *krm.Object {
	o.ExpandAliases()
	fields := o.Node().Content
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i].Value == "metadata" {
			namespace, name, _ := mark.Read(m)
			fields[i].LineComment = "# kpt-merge: " + namespace + "/" + name + lineComment(fields[i])
			fields[i+1].Style &^= yaml.FlowStyle // the comment would be lost behind a flow map
		}
	}
	made := o.Lookup("metadata", "annotations") == nil
	if o = mark.Set(o); made {
		placeLast(m.Lookup("metadata"), o.Lookup("metadata"))
	}
	return o
}

// placeLast moves the last field of n to its place in like.
func placeLast(like, n *yaml.Node) {
	last := len(n.Content) - 2
	before := map[string]bool{}
	for i := 0; i+1 < len(like.Content) && like.Content[i].Value != n.Content[last].Value; i += 2 {
		before[like.Content[i].Value] = true
	}
	at := last
	for at > 0 && !before[n.Content[at-2].Value] {
		at -= 2
	}
	n.Content = slices.Insert(slices.Clone(n.Content[:last]), at, n.Content[last:]...)
}

// lineComment is the existing comment of a key, to follow the mark.
func lineComment(key *yaml.Node) string {
	if key.LineComment == "" {
		return ""
	}
	return " " + key.LineComment
}
