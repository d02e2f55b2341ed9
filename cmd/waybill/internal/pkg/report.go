package pkg

import (
	"fmt"
	"io"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/style"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// UpdateReport is the output of an update.
type UpdateReport struct {
	metav1.TypeMeta `json:",inline"`
	Package         string                   `json:"package"`
	DryRun          bool                     `json:"dryRun"`
	Packages        []upstream.PackageUpdate `json:"packages"`
	Files           []FileChange             `json:"files"`
	Conflicts       []merge.Conflict         `json:"conflicts"`
	// GeneratedLeftOut are files whose generated objects upstream changed; the local ones stay.
	GeneratedLeftOut []string `json:"generatedLeftOut,omitempty"`
	// Charts are the Helm charts that the update brought.
	Charts []lock.Row `json:"charts,omitempty"`
}

// FileChange is a change of one file.
type FileChange struct {
	Path   string `json:"path"`
	Change string `json:"change"` // added, modified or deleted
}

func (u *updateCommand) report(name string, before pkgtree.Tree, did *upstream.UpdateResult) *UpdateReport {
	return &UpdateReport{
		TypeMeta: cli.TypeMeta("PackageUpdateReport"), Package: name, DryRun: u.dryRun, Packages: did.Packages,
		Files: fileChanges(before, did.Tree), Conflicts: append([]merge.Conflict{}, did.Conflicts...),
		GeneratedLeftOut: did.Generated, Charts: u.locked,
	}
}

func fileChanges(before, after pkgtree.Tree) []FileChange {
	out := []FileChange{}
	for _, file := range before.Diff(after) {
		c := FileChange{file, "modified"}
		switch {
		case before.Blob(file) == nil:
			c.Change = "added"
		case after.Blob(file) == nil:
			c.Change = "deleted"
		}
		out = append(out, c)
	}
	return out
}

// letters are Git's letters for changes of files.
var letters = map[string]string{"added": "A", "modified": "M", "deleted": "D"}

func (r *UpdateReport) print(w io.Writer, out *cli.Printer) error {
	if out.Format != "table" {
		return out.Print(w, r, nil, nil)
	}
	packages := cli.Rows(r.Packages, func(m upstream.PackageUpdate) []string {
		return cli.SafeCells(m.Package, string(m.Strategy), versionChange(m))
	})
	if err := cli.Table(w, 2, packages...); err != nil {
		return err
	}
	for _, c := range r.Charts {
		cells := cli.SafeCells("chart", c.Name, chartChange(c), string(c.Status), c.Config)
		if _, err := fmt.Fprintln(w, strings.Join(cells, "  ")); err != nil {
			return err
		}
	}
	for _, f := range r.Files {
		letter := style.Of(w).Paint(style.Word(f.Change), letters[f.Change])
		if _, err := fmt.Fprintf(w, "%s  %s\n", letter, cli.SafeText(f.Path)); err != nil {
			return err
		}
	}
	if n := len(r.GeneratedLeftOut); n > 0 {
		if _, err := fmt.Fprintln(w, generatedMessage(n)); err != nil {
			return err
		}
	}
	return printConflicts(w, r.Conflicts)
}

// generatedMessage says that generated objects of upstream were left out, and what happens to the local ones.
func generatedMessage(files int) string {
	return fmt.Sprintf("%d generated file(s) of upstream left out: the local generated files stay until 'waybill fn render' "+
		"renders them", files)
}

// versionChange is the version before and after the update.
func versionChange(m upstream.PackageUpdate) string {
	to := versionOf(&m.To)
	switch {
	case m.From == nil:
		return to
	case versionOf(m.From) == to:
		return to + " (as before)"
	}
	return versionOf(m.From) + " → " + to
}

func versionOf(l *kptfilev1.GitLock) string {
	id := strings.TrimPrefix(l.Commit, "sha256:")
	if l.Ref == l.Commit && id != l.Commit { // a digest is long, and says it all
		return "@" + id[:min(len(id), 7)]
	}
	return l.Ref + "@" + id[:min(len(id), 7)]
}

func printConflicts(w io.Writer, conflicts []merge.Conflict) error {
	for _, c := range conflicts {
		if _, err := fmt.Fprintf(w, "%s  %s\n", style.Of(w).Paint(style.Error, "conflict"), cli.SafeText(c.String())); err != nil {
			return err
		}
	}
	return nil
}

// conflictsMessage says that conflicts stopped the update, and what to do about them.
func conflictsMessage(conflicts int) string {
	return fmt.Sprintf("%d conflict(s), and nothing was written; resolve each by copying the value of upstream, "+
		"or choose one side for all by --on-conflict upstream or local", conflicts)
}

// DiffReport is the output of a diff.
type DiffReport struct {
	metav1.TypeMeta `json:",inline"`
	Package         string           `json:"package"`
	Type            string           `json:"type"`
	Changes         []diffRow        `json:"changes"`
	Conflicts       []merge.Conflict `json:"conflicts"`
}

// diffRow is one difference. In a 3way diff it says who made it: local or remote.
type diffRow struct {
	Side string `json:"side,omitempty"`
	diff.Change
}

// NewDiffReport reports changes between two versions of a package; kind says which.
func NewDiffReport(name, kind string, changes []diff.Change) *DiffReport {
	r := &DiffReport{
		TypeMeta: cli.TypeMeta("PackageDiffReport"), Package: name, Type: kind, Changes: []diffRow{}, Conflicts: []merge.Conflict{},
	}
	r.add(upstream.DiffType(kind), changes)
	return r
}

func (r *DiffReport) add(kind upstream.DiffType, changes []diff.Change) {
	for _, c := range changes {
		row := diffRow{Change: c}
		if r.Type == threeWay {
			row.Side = string(kind)
		}
		r.Changes = append(r.Changes, row)
	}
}

// Print prints no table without rows.
func (r *DiffReport) Print(w io.Writer, out *cli.Printer) error {
	if out.Format != "table" {
		return out.Print(w, r, nil, nil)
	}
	header := []string{"CHANGE", "FILE", "OBJECT", "FIELD", "FROM", "TO"}
	if r.Type == threeWay {
		header = append([]string{"SIDE"}, header...)
	}
	if rows := cli.Rows(r.Changes, r.cells); len(rows) > 0 {
		if err := out.Print(w, nil, header, rows); err != nil {
			return err
		}
	}
	return printConflicts(w, r.Conflicts)
}

func (r *DiffReport) cells(c diffRow) []string {
	object := strings.TrimSpace(c.Object.Kind + " " + strings.TrimPrefix(c.Object.Namespace+"/"+c.Object.Name, "/"))
	cells := cli.SafeCells(string(c.Kind), c.File, cli.OrDash(object), cli.OrDash(c.Field), ptr.Deref(c.From, "-"), ptr.Deref(c.To, "-"))
	if r.Type == threeWay {
		cells = append([]string{c.Side}, cells...)
	}
	return cells
}

func (r *DiffReport) exitError(progress *fetchProgress, exitCode bool) error {
	if len(r.Changes) == 0 {
		progress.printf("Nothing differs.")
		return nil
	}
	progress.printf("%d difference(s), %d conflict(s).", len(r.Changes), len(r.Conflicts))
	if exitCode {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
