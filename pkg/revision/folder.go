package revision

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// isNew reports whether the draft must begin a new package.
func (r DraftRequest) isNew() bool { return r.Task.Type == porch.TaskClone || r.New }

// checkFolder refuses a new package in a folder of the main branch that holds files and no package. Packages are checked by
// rules, earlier.
func (s *Store) checkFolder(head gitrepo.Hash, req DraftRequest) error {
	if !req.isNew() || head.IsZero() {
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
		"folder %q of branch %q holds %s (%s) and no package, and the %s would delete %s: "+
			"move or delete %[6]s on that branch, or choose another package name",
		dir, s.cfg.Branch, selection.Count(len(files), "file"), firstOf(files), req.Task.Type, them)
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
