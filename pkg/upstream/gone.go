package upstream

import (
	"fmt"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

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
