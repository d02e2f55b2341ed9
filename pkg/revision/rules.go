package revision

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// rules decides whether a draft may be made beside the revisions that exist.
type rules struct {
	revs       map[string]Revision // by object name
	workspaces map[[2]string]bool  // package, workspace
	packages   map[string]bool
	packageIn  map[string]string // a package below each directory
}

func newRules(revs []Revision) *rules {
	r := &rules{revs: map[string]Revision{}, workspaces: map[[2]string]bool{}, packages: map[string]bool{}, packageIn: map[string]string{}}
	for _, rev := range revs {
		r.revs[rev.Name] = rev
		r.add(rev.Package, rev.Workspace)
	}
	return r
}

func (r *rules) add(pkg, workspace string) {
	r.workspaces[[2]string{pkg, workspace}] = true
	r.packages[pkg] = true
	for dir := path.Dir(pkg); dir != "."; dir = path.Dir(dir) {
		if r.packageIn[dir] == "" || pkg < r.packageIn[dir] {
			r.packageIn[dir] = pkg
		}
	}
}

// Admit checks a request for a draft in a repository that holds revs. What a rule forbids is a *RefusedError.
func Admit(repository string, revs []Revision, req DraftRequest) error {
	return newRules(revs).admit(repository, req)
}

// AdmitUpdate checks new content for a draft. What a rule forbids is a *RefusedError.
func AdmitUpdate(rev Revision, up Update) error {
	const op = "update draft"
	if rev.Lifecycle != porch.Draft {
		return rev.refuse(op, "it is %s, and only drafts can be edited", rev.Lifecycle)
	}
	if reason := badContent(DraftRequest{Content: up.Content, Owner: up.Owner}); reason != "" {
		return rev.refuse(op, "%s", reason)
	}
	return nil
}

// admit checks a request. If it is allowed, the draft counts as existing from then on.
func (r *rules) admit(repository string, req DraftRequest) error {
	refused := &RefusedError{Op: "create draft", Package: req.Package, Workspace: req.Workspace}
	for _, check := range []func() string{
		func() string { return badName(repository, req.Package, req.Workspace) },
		func() string { return badContent(req) },
		func() string { return r.taken(req, refused) },
		func() string { return r.nested(req.Package) },
		func() string { return r.badSource(req) },
	} {
		if refused.Reason = check(); refused.Reason != "" {
			return refused
		}
	}
	r.add(req.Package, req.Workspace)
	return nil
}

func badName(repository, pkg, workspace string) string {
	for segment := range strings.SplitSeq(pkg, "/") {
		if errs := validation.IsDNS1123Label(segment); len(errs) > 0 {
			return fmt.Sprintf("package name segment %q: %s", segment, errs[0])
		}
	}
	if errs := validation.IsDNS1123Label(workspace); len(errs) > 0 {
		return fmt.Sprintf("workspace name %q: %s", workspace, errs[0])
	}
	name := ObjectName(repository, pkg, workspace)
	if errs := validation.IsDNS1123Subdomain(name); len(errs) > 0 {
		return fmt.Sprintf("object name %q: %s", name, errs[0])
	}
	return ""
}

func badContent(req DraftRequest) string {
	if err := req.Owner.check(); err != nil {
		return err.Error()
	}
	if req.Content.Blob("Kptfile") == nil {
		return "package must contain Kptfile at root"
	}
	if req.Task.Type != "" && !req.Task.Creates() {
		return fmt.Sprintf("a revision cannot begin with task %q", req.Task.Type)
	}
	return ""
}

func (r *rules) taken(req DraftRequest, refused *RefusedError) string {
	refused.Exists = true
	if r.workspaces[[2]string{req.Package, req.Workspace}] {
		return "the workspace exists already"
	}
	if req.isNew() && r.packages[req.Package] && !r.replacesAll(req) {
		return fmt.Sprintf("the package exists already: %s makes new packages, edit and upgrade continue them", req.Task.Type)
	}
	refused.Exists = false
	return ""
}

// replacesAll reports whether the request replaces all revisions of the package.
func (r *rules) replacesAll(req DraftRequest) bool {
	for name, rev := range r.revs {
		if rev.Package == req.Package && !slices.Contains(req.Replaces, name) {
			return false
		}
	}
	return len(req.Replaces) > 0
}

func (r *rules) nested(pkg string) string {
	for dir := path.Dir(pkg); dir != "."; dir = path.Dir(dir) {
		if r.packages[dir] {
			return fmt.Sprintf("it would lie inside package %q", dir)
		}
	}
	if below := r.packageIn[pkg]; below != "" {
		return fmt.Sprintf("package %q lies inside it", below)
	}
	return ""
}

// badSource checks that an edit or upgrade continues a published revision of the same package.
func (r *rules) badSource(req DraftRequest) string {
	if req.Task.Upgrade == nil && (req.Task.Edit == nil || req.Task.Edit.Source == nil) {
		return ""
	}
	name := continues(&req.Task)
	src, ok := r.revs[name]
	switch {
	case !ok:
		return fmt.Sprintf("source %q does not exist in this repository", name)
	case src.Package != req.Package:
		return fmt.Sprintf("source %q belongs to another package, %q", name, src.Package)
	case src.Revision < 1:
		return fmt.Sprintf("source %q is not published", name)
	}
	return ""
}

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
