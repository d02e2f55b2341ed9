package upstream

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Merge is merge.Packages, except that generated objects stay as they are in ours: no strategy adds, changes or deletes any. They
// are for the clusters of this package, and those of upstream for other clusters. Generated objects merge like others in a subpackage that
// upstream does not have any more, and if no Kptfile names a mutator, since no function generates them again there.
// leftOut are the files whose generated objects upstream changed.
func Merge(base, theirs, ours pkgtree.Tree, opts merge.Options) (res *merge.Result, leftOut []string, err error) {
	if !hasMutators(ours) && !hasMutators(theirs) {
		res, err = merge.Packages(base, theirs, ours, opts)
		return res, nil, err
	}
	res, err = mergeOwnGenerated(base, theirs, ours, opts)
	return res, generatedChanges(base, theirs, ours), err
}

// mergeOwnGenerated is Merge for packages on which functions run.
func mergeOwnGenerated(base, theirs, ours pkgtree.Tree, opts merge.Options) (*merge.Result, error) {
	var rest [3]pkgtree.Tree
	for i, tree := range []pkgtree.Tree{base, theirs, ours} {
		var err error
		if rest[i], err = withoutGeneratedIn(tree, func(p string) bool { return !inDeletedPackage(p, ours, theirs) }); err != nil {
			return nil, err
		}
	}
	res, err := merge.Packages(rest[0], rest[1], rest[2], opts)
	if err != nil {
		return nil, err
	}
	if opts.Prefer == merge.Fail && len(res.Conflicts) > 0 {
		res.Tree = ours
		return res, nil
	}
	res.Tree, err = withGenerated(res.Tree, rest[2], ours)
	return res, err
}

// inDeletedPackage reports whether p is in a subpackage of ours that the other tree does not have.
func inDeletedPackage(p string, ours, other pkgtree.Tree) bool {
	dir := ours.PackageOf(p)
	return dir != "" && other.Blob(path.Join(dir, kptfile.Name)) == nil
}

// withGenerated adds the generated objects of ours, which rest does not have, to the merge of rest.
func withGenerated(merged, rest, ours pkgtree.Tree) (pkgtree.Tree, error) {
	changes := map[string]*pkgtree.Blob{}
	for p, b := range ours.All() {
		switch now := merged.Blob(p); {
		case b.Equal(rest.Blob(p)): // no generated objects
		case now.Equal(rest.Blob(p)):
			changes[p] = b
		default:
			all, err := withGeneratedOf(p, now, b)
			if err != nil {
				return merged, err
			}
			changes[p] = all
		}
	}
	return put(merged, changes)
}

// withGeneratedOf is a file with the generated objects of another at its end.
func withGeneratedOf(p string, now, from *pkgtree.Blob) (*pkgtree.Blob, error) {
	var objects []*krm.Object
	if now != nil {
		var err error
		if objects, err = krm.Read(p, now.Data(), krm.Limits{}); err != nil {
			return nil, fmt.Errorf("%w; the file here holds generated objects: remove them, or move the objects to another file upstream", err)
		}
	}
	all, _ := generatedIn(p, from)
	data, err := krm.Write(append(objects, slices.DeleteFunc(all, isNotGenerated)...))
	return pkgtree.NewBlob(data), err
}

// generatedChanges are the files whose generated objects differ between base and theirs, sorted.
func generatedChanges(base, theirs, ours pkgtree.Tree) (out []string) {
	for _, p := range base.Diff(theirs) {
		if !inDeletedPackage(p, ours, theirs) && !bytes.Equal(generatedText(p, base.Blob(p)), generatedText(p, theirs.Blob(p))) {
			out = append(out, p)
		}
	}
	return out
}

// generatedText is the text of the generated objects in a file.
func generatedText(p string, b *pkgtree.Blob) []byte {
	if b == nil {
		return nil
	}
	objects, ok := generatedIn(p, b)
	if !ok {
		return nil
	}
	data, err := krm.Write(slices.DeleteFunc(slices.Clone(objects), isNotGenerated))
	if err != nil || !slices.ContainsFunc(objects, isNotGenerated) {
		return b.Data()
	}
	return data
}
