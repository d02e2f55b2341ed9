package draft

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Edit renders tree, which is the package was with what the variant wants now. If that changes how objects are rendered, from a
// chart for example, the change is merged into them, and what people changed in them stays. A conflict is an error.
func (b *Builder) Edit(ctx context.Context, was, tree pkgtree.Tree) (pkgtree.Tree, error) {
	out, err := b.Render(ctx, tree)
	ours := renderedIn(tree)
	if err != nil || len(ours) == 0 || RenderFailure(out) != "" {
		return out, err
	}
	theirs := renderedIn(out)
	maps.DeleteFunc(ours, func(id krm.ID, o *krm.Object) bool { return sameRendering(o, theirs[id]) })
	if len(ours) == 0 {
		return out, nil
	}
	plain, err := withoutRendered(was)
	if err == nil {
		plain, err = Render(ctx, plain, b.renderOptions())
	}
	if err != nil { // then nobody knows what was edited
		return out, ctx.Err()
	}
	edited, conflicts := mergeEdits(renderedIn(plain), theirs, ours, document.TypesOf(out, tree))
	switch {
	case len(conflicts) > 0:
		return pkgtree.Tree{}, fmt.Errorf("what the variant wants now conflicts with local edits, and nothing was changed: %s; make the "+
			"objects agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy %q",
			firstOf(conflicts), porchconfig.AdoptExisting)
	case len(edited) == 0:
		return out, nil
	}
	if tree, err = replaceObjects(tree, edited); err != nil {
		return pkgtree.Tree{}, err
	}
	return b.Render(ctx, tree)
}

// mergeEdits returns those of ours that were changed since they were rendered as in base, with what theirs changed.
func mergeEdits(base, theirs, ours map[krm.ID]*krm.Object, types func(*krm.Object) *schema.Type) (
	edited map[krm.ID]*krm.Object, all []merge.Conflict) {
	edited = map[krm.ID]*krm.Object{}
	for id, o := range ours {
		o = o.DeepCopy()
		o.ExpandAliases()
		was, now := base[id], theirs[id]
		switch {
		case !sameRendering(o, was) || object.Equal(withoutMark(was), withoutMark(o)):
			continue
		case now == nil:
			c := object.WholeConflict(true, "", "changed")
			c.Package, c.File, c.Object = ".", o.Source.File, id
			all = append(all, c)
			continue
		}
		m := object.Merger{Prefer: object.Fail, Hide: object.Redacted(was, now, o)}
		m.Value(types(o), was.Node(), now.Node(), o.Node())
		for _, c := range m.Conflicts {
			c.Package, c.File, c.Object = ".", o.Source.File, id
			all = append(all, c)
		}
		edited[id] = o
	}
	object.SortConflicts(all)
	return edited, all
}

// withoutMark is the content of o without the annotation that a clone gets.
func withoutMark(o *krm.Object) *yaml.Node {
	if o.HasAnnotation(mark.IdentityAnnotation) {
		o = o.DeepCopy()
		o.RemoveAnnotations(func(key string) bool { return key == mark.IdentityAnnotation })
	}
	return o.Node()
}

// sameRendering reports whether both objects are there, and were rendered from the same.
func sameRendering(a, b *krm.Object) bool {
	return a != nil && b != nil && a.Annotation(fn.RenderedFrom) == b.Annotation(fn.RenderedFrom)
}

// isRendered reports whether a function rendered o, and o may have been edited since.
func isRendered(o *krm.Object) bool { return o.HasAnnotation(fn.RenderedFrom) }

// filesWithRendered calls each for the files that hold rendered objects. What cannot be read was not rendered.
func filesWithRendered(tree pkgtree.Tree, each func(file string, objects []*krm.Object) error) error {
	for file, b := range tree.All() {
		if !document.IsResourceFile(file) || !bytes.Contains(b.Data(), []byte(fn.RenderedFrom)) {
			continue
		}
		objects, err := krm.Read(file, b.Data(), krm.Limits{})
		if err != nil || !slices.ContainsFunc(objects, isRendered) {
			continue
		}
		if err := each(file, objects); err != nil {
			return err
		}
	}
	return nil
}

// renderedIn are the rendered objects of a tree, without those of which it has several.
func renderedIn(tree pkgtree.Tree) map[krm.ID]*krm.Object {
	found, count := map[krm.ID]*krm.Object{}, map[krm.ID]int{}
	_ = filesWithRendered(tree, func(_ string, objects []*krm.Object) error {
		for _, o := range objects {
			if isRendered(o) {
				o.ExpandAliases()
				found[o.ID()] = o
				count[o.ID()]++
			}
		}
		return nil
	})
	maps.DeleteFunc(found, func(id krm.ID, _ *krm.Object) bool { return count[id] > 1 })
	return found
}

// withoutRendered is a tree without its rendered objects.
func withoutRendered(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return changeRendered(tree, func(objects []*krm.Object) []*krm.Object { return slices.DeleteFunc(objects, isRendered) })
}

// replaceObjects puts objects into the places of those of the same name.
func replaceObjects(tree pkgtree.Tree, by map[krm.ID]*krm.Object) (pkgtree.Tree, error) {
	return changeRendered(tree, func(objects []*krm.Object) []*krm.Object {
		for i, o := range objects {
			if to := by[o.ID()]; to != nil && isRendered(o) {
				objects[i] = to
			}
		}
		return objects
	})
}

func changeRendered(tree pkgtree.Tree, change func([]*krm.Object) []*krm.Object) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	err := filesWithRendered(tree, func(file string, objects []*krm.Object) error {
		data, err := krm.Write(change(objects))
		if changes[file] = data; len(data) == 0 {
			changes[file] = nil
		}
		return err
	})
	if err != nil {
		return tree, err
	}
	return tree.Apply(changes)
}
