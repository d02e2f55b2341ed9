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

// check refuses an upstream after which a merge would delete files or objects that upstream probably did not mean to delete. then is the
// earlier state of upstream.
func check(up kptfilev1.Git, then, ours pkgtree.Tree, now *gitrepo.Fetched) error {
	if err := checkMovedPackage(up, then, now.Tree); err != nil {
		return err
	}
	if err := CheckEmptied(then, now.Tree, ours); err != nil {
		return fmt.Errorf("repository %q, ref %q: %w", WithoutSecret(up.Repo), up.Ref, err)
	}
	return checkLinks(up, then, ours, now.LeftOut)
}

// CheckEmptied refuses a file of objects that holds no object and no comment upstream now, which is what a redirection, a killed
// program or an empty list leaves: a merge would delete the objects that it held. A file may be empty if
// upstream moved its objects to other files, or if ours holds no object, either.
func CheckEmptied(then, now, ours pkgtree.Tree) error {
	var before, after map[krm.ID]int
	for p, had := range then.All() {
		is, mine := now.Blob(p), ours.Blob(p)
		if is == nil || mine == nil || !holdsObjects(p) || is.Equal(had) || !lostContent(p, had, is) || isAsEmpty(p, mine, is) {
			continue
		}
		if before == nil {
			before, after = countObjects(then), countObjects(now)
		}
		lost := func(o *krm.Object) bool { return after[o.ID()] < before[o.ID()] }
		if objects := objectsIn(p, had); len(objects) == 0 || slices.ContainsFunc(objects, lost) {
			return fmt.Errorf("%s holds no object and no comment upstream any more, and an update would delete its objects here: "+
				"restore or remove the file upstream or, if its objects are to be deleted, delete the file here first", p)
		}
	}
	return nil
}

// lostContent reports whether a file had content, and now holds no object and no comment that says so.
func lostContent(p string, had, is *pkgtree.Blob) bool {
	if isEmpty(is.Data()) {
		return !isEmpty(had.Data())
	}
	return len(objectsIn(p, had)) > 0 && isEmptied(p, is)
}

// isAsEmpty reports whether our file is empty or, if that of upstream is not quite empty, holds no object.
func isAsEmpty(p string, mine, is *pkgtree.Blob) bool {
	return isEmpty(mine.Data()) || !isEmpty(is.Data()) && isEmptied(p, mine)
}

// isEmptied reports whether a file holds neither an object nor comments alone.
func isEmptied(p string, b *pkgtree.Blob) bool {
	if isEmpty(b.Data()) {
		return true
	}
	documents, err := krm.Read(p, b.Data(), krm.Limits{})
	return err != nil || len(documents) > 0 && len(objectsIn(p, b)) == 0
}

// objectsIn are the objects of a file; none if it cannot be read. An empty list is not an object.
func objectsIn(p string, b *pkgtree.Blob) []*krm.Object {
	objects, _ := krm.Read(p, b.Data(), krm.Limits{})
	return slices.DeleteFunc(objects, func(o *krm.Object) bool {
		items := krm.Deref(o.Lookup("items"))
		isEmptyList := o.Name() == "" && strings.HasSuffix(o.Kind(), "List") && (items == nil || len(items.Content) == 0)
		return o.APIVersion() == "" || o.Kind() == "" || isEmptyList
	})
}

func holdsObjects(p string) bool { return isYAML(p) || path.Ext(p) == ".json" }

// countObjects counts the places of each object in the readable files of a tree: several subpackages may have the same object.
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

// isEmpty reports whether all documents of a file are empty.
func isEmpty(data []byte) bool {
	for word := range strings.FieldsSeq(strings.TrimPrefix(string(data), "\ufeff")) {
		if word != "---" && word != "..." && word != "null" && word != "~" {
			return false
		}
	}
	return true
}

// checkMovedPackage refuses an upstream folder that does not hold the package any more: a merge would delete all its objects. A folder
// that only lost its Kptfile is merged.
func checkMovedPackage(up kptfilev1.Git, then, now pkgtree.Tree) error {
	if then.Blob(kptfile.Name) == nil || now.Blob(kptfile.Name) != nil {
		return nil
	}
	had := slices.DeleteFunc(then.Paths(), func(p string) bool { return !isYAML(p) })
	if len(had) == 0 || slices.ContainsFunc(had, func(p string) bool { return now.Blob(p) != nil }) {
		return nil
	}
	return fmt.Errorf("repository %q, ref %q: the folder %q holds neither a Kptfile nor the package's files of objects any more, and "+
		"an update would delete them here: set upstream.git.directory in the Kptfile to the new folder of the package, or name a ref that has it",
		WithoutSecret(up.Repo), up.Ref, up.Directory)
}

// checkLinks refuses a symbolic link or a submodule in the place of a file, as no package can hold it: a merge would delete the file.
func checkLinks(up kptfilev1.Git, then, ours pkgtree.Tree, leftOut []gitrepo.LeftOut) error {
	left := map[string]string{}
	for _, l := range leftOut {
		left[l.Path] = l.Kind
	}
	for _, p := range then.Paths() {
		for at := p; at != "." && ours.Blob(p) != nil; at = path.Dir(at) {
			if kind := left[at]; kind != "" {
				return fmt.Errorf("repository %q, ref %q: %s is a %s upstream now, which cannot be part of a package, "+
					"and an update would delete %s here: restore the file upstream or, if it is to be deleted, delete it here first",
					WithoutSecret(up.Repo), up.Ref, at, kind, p)
			}
		}
	}
	return nil
}
