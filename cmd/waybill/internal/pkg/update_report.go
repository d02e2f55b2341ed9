package pkg

import (
	"fmt"
	"io"
	"text/tabwriter"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// UpdateReport is the output of an update.
type UpdateReport struct {
	Package   string                   `json:"package"`
	DryRun    bool                     `json:"dryRun"`
	Packages  []upstream.PackageUpdate `json:"packages"`
	Files     []FileChange             `json:"files"`
	Conflicts []merge.Conflict         `json:"conflicts"`
	// GeneratedLeftOut are files whose generated objects upstream changed; the local ones stay.
	GeneratedLeftOut []string `json:"generatedLeftOut,omitempty"`
}

// FileChange is a change of one file.
type FileChange struct {
	Path   string `json:"path"`
	Change string `json:"change"` // added, modified or deleted
}

func (u *updateCommand) report(name string, before pkgtree.Tree, did *upstream.UpdateResult) *UpdateReport {
	r := &UpdateReport{
		Package: name, DryRun: u.dryRun, Packages: did.Packages,
		Files: fileChanges(before, did.Tree), Conflicts: append([]merge.Conflict{}, did.Conflicts...),
		GeneratedLeftOut: did.Generated,
	}
	return r
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
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, m := range r.Packages {
		fmt.Fprintf(tw, "%s\t%s\t%s\n", cli.SafeText(m.Package), m.Strategy, cli.SafeText(versionChange(m)))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, f := range r.Files {
		if _, err := fmt.Fprintf(w, "%s  %s\n", letters[f.Change], cli.SafeText(f.Path)); err != nil {
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
	return fmt.Sprintf("%d generated file(s) of upstream's left out: what functions generated here stays until 'waybill fn render' "+
		"makes it anew", files)
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

func versionOf(l *kptfilev1.GitLock) string { return l.Ref + "@" + l.Commit[:min(len(l.Commit), 7)] }

// printConflicts prints one line for each conflict.
func printConflicts(w io.Writer, conflicts []merge.Conflict) error {
	for _, c := range conflicts {
		if _, err := fmt.Fprintf(w, "conflict  %s\n", cli.SafeText(c.String())); err != nil {
			return err
		}
	}
	return nil
}

// conflictsMessage says that conflicts stopped the update, and what to do about them.
func conflictsMessage(conflicts int) string {
	return fmt.Sprintf("%d conflict(s), and nothing was written; settle each by making it here what upstream has, "+
		"or choose for all by --on-conflict upstream or local", conflicts)
}
