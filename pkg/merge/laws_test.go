package merge

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// checkPackageLaws holds for every triple.
func checkPackageLaws(t mergetest.Reporter, base, theirs, ours pkgtree.Tree, s Strategy) {
	before := base.Digest() + theirs.Digest() + ours.Digest()
	lawsOfResult(t, base, theirs, ours, s)
	if s == "" || s == ResourceMerge {
		lawsOfResources(t, base, theirs, ours)
	}
	if base.Digest()+theirs.Digest()+ours.Digest() != before {
		t.Errorf("law broken: a merge changes none of the three trees")
	}
}

// lawsOfResult hold for every strategy.
func lawsOfResult(t mergetest.Reporter, base, theirs, ours pkgtree.Tree, s Strategy) {
	for _, prefer := range []object.Prefer{object.Upstream, object.Local, object.Fail} {
		opts := Options{Strategy: s, Prefer: prefer}
		r, err := Packages(base, theirs, ours, opts)
		if err != nil {
			continue
		}
		again, err := Packages(base, theirs, ours, opts)
		if err != nil || !again.Tree.Equal(r.Tree) || cmp.Diff(r.Conflicts, again.Conflicts) != "" {
			t.Errorf("law broken: the same three trees make the same result")
		}
		if prefer == object.Fail {
			if len(r.Conflicts) > 0 && !r.Tree.Equal(ours) {
				t.Errorf("with a conflict and no preferred side, ours changed")
			}
			continue
		}
		if !AddMarks(r.Tree).Equal(r.Tree) {
			t.Errorf("law broken: the result carries its marks")
		}
		if s != FastForward { // what it made is a change for the next time
			repeated(t, base, theirs, r, opts)
		}
	}
}

func repeated(t mergetest.Reporter, base, theirs pkgtree.Tree, first *Result, opts Options) {
	if slices.ContainsFunc(first.Conflicts, func(c object.Conflict) bool { return c.Ours != nil && *c.Ours == "null" && c.Chosen == nil }) {
		return // the null that took the field out has done its work, and the next update is free to put it back
	}
	second, err := Packages(base, theirs, first.Tree, opts)
	if err != nil {
		if !strings.Contains(err.Error(), "added in both") { // it is there now, as kpt would find it
			t.Errorf("law broken: a repeated update is no error: %v", err)
		}
		return
	}
	if d := cmp.Diff(said(first.Tree, true), said(second.Tree, true)); d != "" {
		t.Errorf("law broken: a repeated update changes nothing (prefer %s, -first +second):\n%s", opts.Prefer, d)
	}
}

// lawsOfResources hold when objects and fields are merged. They leave out what kpt decides without
// asking both sides: whole files that one of them deleted, if a conflict says so, and subpackages and
// functions that come from elsewhere.
func lawsOfResources(t mergetest.Reporter, base, theirs, ours pkgtree.Tree) {
	if fromElsewhere(base) || fromElsewhere(theirs) || fromElsewhere(ours) {
		return
	}
	law := func(name string, b, u, l pkgtree.Tree, prefer object.Prefer, want pkgtree.Tree) {
		r, err := Packages(b, u, l, Options{Prefer: prefer})
		if err != nil {
			return
		}
		says, says2 := said(want, false), said(r.Tree, false)
		for _, c := range r.Conflicts {
			if c.Field == "" && (c.Theirs == nil || c.Ours == nil) && (document.IsKptfile(c.File) || !document.IsResourceFile(c.File)) {
				delete(says, c.File)
				delete(says2, c.File)
			}
		}
		if d := cmp.Diff(says, says2); d != "" {
			t.Errorf("law broken: %s (-want +got):\n%s", name, d)
		}
	}
	law("a quiet upstream keeps ours", base, base, ours, object.Local, ours)
	law("an untouched copy takes upstream", base, theirs, base, object.Upstream, theirs)
	law("agreement is agreement", base, theirs, theirs, object.Upstream, theirs)
	for name, of := range map[string][2]pkgtree.Tree{
		"agreement is": {theirs, theirs}, "a quiet upstream makes": {base, ours}, "an untouched copy makes": {theirs, base},
	} {
		r, err := Packages(base, of[0], of[1], Options{})
		for i := 0; err == nil && i < len(r.Conflicts); i++ {
			if c := r.Conflicts[i]; c.Field != "" || document.IsResourceFile(c.File) {
				t.Errorf("law broken: %s no conflict, got %s", name, line(c))
			}
		}
	}
	r, err := Packages(base, theirs, ours, Options{})
	if err == nil && len(r.Conflicts) == 0 {
		law("neither side loses in silence", base, ours, theirs, object.Upstream, r.Tree)
	}
}

// fromElsewhere reports whether tree has a remote subpackage or functions of a PackageVariant.
func fromElsewhere(tree pkgtree.Tree) bool {
	for p, b := range tree.All() {
		if document.IsKptfile(p) && (p != kptfile.Name && strings.Contains(string(b.Data()), "upstream:") || strings.Contains(string(b.Data()), "PackageVariant.")) {
			return true
		}
	}
	return false
}

// said is what a tree says, file by file: objects as JSON without marks, in no order, nulls left out,
// for a null takes a field out. Unless all is asked for it lacks what the merge takes from one side
// without looking at the other: in Kptfiles name, status and origin, and files of Git's.
func said(tree pkgtree.Tree, all bool) map[string]any {
	out := map[string]any{}
	for p, b := range tree.All() {
		switch {
		case isGitFile(p) && !all:
		case document.IsKptfile(p) || document.IsResourceFile(p):
			if says := objectsIn(p, b, all); says != nil { // else it is an empty file
				out[p] = says
			}
		default:
			out[p] = string(b.Data())
		}
	}
	return out
}

func objectsIn(p string, b *pkgtree.Blob, all bool) any {
	objects, err := krm.Read(p, b.Data(), krm.Limits{})
	if err != nil {
		return string(b.Data())
	}
	var texts []string
	for _, o := range objects {
		v, err := krm.Value(o.Node())
		if err != nil {
			return string(b.Data())
		}
		m := withoutNulls(v).(map[string]any)
		mergetest.WithoutMark(m)
		if path.Base(p) == kptfile.Name && !all {
			for _, field := range []string{"apiVersion", "kind", "upstream", "upstreamLock", "status"} {
				delete(m, field)
			}
			if meta, ok := m["metadata"].(map[string]any); ok {
				delete(meta, "name")
				delete(meta, "namespace")
			}
		}
		text, err := json.Marshal(m)
		if err != nil {
			return string(b.Data())
		}
		texts = append(texts, string(text))
	}
	if texts == nil {
		return nil
	}
	slices.Sort(texts)
	return texts
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == nil {
				delete(v, k)
			} else {
				v[k] = withoutNulls(e)
			}
		}
		sortItems(v["finalizers"])
		sortItems(v["tags"])
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
		if len(v) > 0 {
			if _, ok := v[0].(map[string]any); ok {
				sortItems(v)
			}
		}
	}
	return v
}

// sortItems sorts a list that merges item by item: items that both sides add come in the order of sides.
func sortItems(v any) {
	list, _ := v.([]any)
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}
