package upstream

import (
	"fmt"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// check refuses what upstream has now where a merge would delete what only seems to be gone from there. Then is what it had.
func check(up kptfilev1.Git, then, ours pkgtree.Tree, now *gitrepo.Fetched) error {
	if err := checkThere(up, then, now.Tree); err != nil {
		return err
	}
	if err := CheckEmptied(then, now.Tree, ours); err != nil {
		return fmt.Errorf("repository %q, ref %q: %w", WithoutSecret(up.Repo), up.Ref, err)
	}
	return checkKept(up, then, ours, now.LeftOut)
}

// CheckEmptied refuses a file of objects that upstream now has without any object and without a comment alone, as a redirection, a
// program that was stopped, or a list of nothing leaves it: a merge would delete the objects that it held. A file whose objects
// upstream moved to other files may be empty, and so may one that holds no object in ours either.
func CheckEmptied(then, now, ours pkgtree.Tree) error {
	var before, after map[krm.ID]int
	for p, had := range then.All() {
		is, mine := now.Blob(p), ours.Blob(p)
		if is == nil || mine == nil || !holdsObjects(p) || is.Equal(had) || !lostAll(p, had, is) || saysAsLittle(p, mine, is) {
			continue
		}
		if before == nil {
			before, after = countObjects(then), countObjects(now)
		}
		lost := func(o *krm.Object) bool { return after[o.ID()] < before[o.ID()] }
		if objects := objectsIn(p, had); len(objects) == 0 || slices.ContainsFunc(objects, lost) {
			return fmt.Errorf("%s holds no object and no comment there now, so that an update would delete here what it held: "+
				"have upstream put that back or remove the file, or, if it is to go, delete it here first", p)
		}
	}
	return nil
}

// lostAll reports whether a file said something, and holds no object now and does not say that this is meant.
func lostAll(p string, had, is *pkgtree.Blob) bool {
	if isEmpty(is.Data()) {
		return !isEmpty(had.Data())
	}
	return len(objectsIn(p, had)) > 0 && isEmptied(p, is)
}

// saysAsLittle reports whether our file is empty, or holds no object where that of upstream is not empty.
func saysAsLittle(p string, mine, is *pkgtree.Blob) bool {
	return isEmpty(mine.Data()) || !isEmpty(is.Data()) && isEmptied(p, mine)
}

// isEmptied reports whether a file holds no object, and not just comments.
func isEmptied(p string, b *pkgtree.Blob) bool {
	if isEmpty(b.Data()) {
		return true
	}
	documents, err := krm.Read(p, b.Data(), krm.Limits{})
	return err != nil || len(documents) > 0 && len(objectsIn(p, b)) == 0
}

// objectsIn are the objects of a file; none where it cannot be read. An empty list is none.
func objectsIn(p string, b *pkgtree.Blob) []*krm.Object {
	objects, _ := krm.Read(p, b.Data(), krm.Limits{})
	return slices.DeleteFunc(objects, func(o *krm.Object) bool {
		items := krm.Deref(o.Lookup("items"))
		isEmptyList := o.Name() == "" && strings.HasSuffix(o.Kind(), "List") && (items == nil || len(items.Content) == 0)
		return o.APIVersion() == "" || o.Kind() == "" || isEmptyList
	})
}

func holdsObjects(p string) bool { return isYAML(p) || path.Ext(p) == ".json" }

// countObjects says in how many places each object is in the files of a tree that can be read: subpackages may have the same.
func countObjects(tree pkgtree.Tree) map[krm.ID]int {
	counts := map[krm.ID]int{}
	for p, b := range tree.All() {
		if !holdsObjects(p) {
			continue
		}
		for _, o := range objectsIn(p, b) {
			counts[o.ID()]++
		}
	}
	return counts
}

// isEmpty reports whether a file says nothing, in however many documents.
func isEmpty(data []byte) bool {
	for word := range strings.FieldsSeq(strings.TrimPrefix(string(data), "\ufeff")) {
		if word != "---" && word != "..." && word != "null" && word != "~" {
			return false
		}
	}
	return true
}

// checkThere refuses an upstream folder in which the package is no more: a merge would delete all its objects. A folder that lost
// its Kptfile only is merged.
func checkThere(up kptfilev1.Git, then, now pkgtree.Tree) error {
	if then.Blob(kptfile.Name) == nil || now.Blob(kptfile.Name) != nil {
		return nil
	}
	had := slices.DeleteFunc(then.Paths(), func(p string) bool { return !isYAML(p) })
	if len(had) == 0 || slices.ContainsFunc(had, func(p string) bool { return now.Blob(p) != nil }) {
		return nil
	}
	return fmt.Errorf("repository %q, ref %q: the folder %q holds no Kptfile and none of the package's files of objects any more, so that "+
		"an update would delete them here: set upstream.git.directory in the Kptfile to where the package is now, or name a ref that has it",
		WithoutSecret(up.Repo), up.Ref, up.Directory)
}

// checkKept refuses a symbolic link or a submodule upstream where a file was, as no package can hold it: a merge would delete the file.
func checkKept(up kptfilev1.Git, then, ours pkgtree.Tree, leftOut []gitrepo.LeftOut) error {
	left := map[string]string{}
	for _, l := range leftOut {
		left[l.Path] = l.Kind
	}
	for _, p := range then.Paths() {
		for at := p; at != "." && ours.Blob(p) != nil; at = path.Dir(at) {
			if kind := left[at]; kind != "" {
				return fmt.Errorf("repository %q, ref %q: %s is a %s there now, which is not part of a package, "+
					"so that an update would delete %s here: have upstream put the file back, or, if it is to go, delete it here first",
					WithoutSecret(up.Repo), up.Ref, at, kind, p)
			}
		}
	}
	return nil
}
