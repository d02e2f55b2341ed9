package revision

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// checkFolder refuses a clone into a folder of the main branch that holds files and no package. Packages are checked by
// rules, earlier.
func (s *Store) checkFolder(head gitrepo.Hash, req DraftRequest) error {
	if req.Task.Type != porch.TaskClone || head.IsZero() {
		return nil
	}
	dir := s.path(req.Package)
	files, err := s.repo.List(head, dir)
	if err != nil || len(files) == 0 {
		return err
	}
	them := "it"
	if len(files) > 1 {
		them = "them"
	}
	return Revision{Package: req.Package, Workspace: req.Workspace}.refuse("create draft",
		"folder %q of branch %q holds %s (%s) and no package, and the clone would delete %s: "+
			"move or delete %[5]s on that branch, or choose another package name",
		dir, s.cfg.Branch, selection.Count(len(files), "file"), firstOf(files), them)
}

// firstOf lists the first files.
func firstOf(files []gitrepo.Listed) string {
	const most = 3
	var names []string
	for _, f := range files[:min(most, len(files))] {
		names = append(names, fmt.Sprintf("%q", f.Path))
	}
	if len(files) > most {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}
