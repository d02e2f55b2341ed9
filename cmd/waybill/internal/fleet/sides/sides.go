// Package sides finds, reads and renders the two sides of a change: folders, commits or the work tree.
package sides

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// Sides are two trees to compare.
type Sides struct {
	Before, After string   // names in messages
	Name          string   // of the package, in messages
	Root          string   // prefix of file names, with slashes
	Rendered      bool     // both are rendered already
	Failed        error    // exit code of failures that Read printed
	Duplicates    []string // warnings about works that stand in several files
	Stale         []string // warnings about generated works that differ from what rendering gives
	Progress      *cli.Progress
	Read          func(context.Context) (before, after pkgtree.Tree, err error)
}

// OfFolders compares two folders.
func OfFolders(before, after string) (*Sides, error) {
	s, err := newSides(after)
	if err != nil {
		return nil, err
	}
	s.Before, s.After = filepath.ToSlash(filepath.Clean(before)), filepath.ToSlash(filepath.Clean(after))
	if !filepath.IsAbs(after) && s.After != "." {
		s.Root = s.After
	}
	s.Read = func(context.Context) (pkgtree.Tree, pkgtree.Tree, error) {
		a, err := ReadFolder(before)
		if err != nil {
			return a, a, err
		}
		b, err := ReadFolder(after)
		return a, b, err
	}
	return s, nil
}

// OfFolder compares a folder with itself, for a what-if change of the second side.
func OfFolder(dir string) (*Sides, error) {
	s, err := OfFolders(dir, dir)
	if err != nil {
		return nil, err
	}
	s.Before, s.After = "work tree", "work tree"
	s.Read = func(context.Context) (pkgtree.Tree, pkgtree.Tree, error) {
		tree, err := ReadFolder(dir)
		return tree, tree, err
	}
	return s, nil
}

func newSides(dir string) (*Sides, error) {
	abs, err := filepath.Abs(dir)
	return &Sides{Name: filepath.Base(abs)}, err
}

// ReadFolder reads the files that rendering uses.
func ReadFolder(dir string) (pkgtree.Tree, error) {
	return render.ReadDir(dir)
}

// ofCommits compares two commits, or a commit with the work tree if head is empty. mergeBase replaces base by the merge base.
func ofCommits(ctx context.Context, dir, base, head string, mergeBase bool) (*Sides, error) {
	s, err := newSides(dir)
	if err != nil {
		return nil, err
	}
	repo, err := commits.At(ctx, dir)
	var outside *commits.OutsideError
	if errors.As(err, &outside) {
		return nil, fmt.Errorf("%w; commit the package to a repository, or name two folders", err)
	}
	if err != nil {
		return nil, err
	}
	if repo.Bare && head == "" {
		return nil, cli.Usagef("%s is a bare repository without a work tree; name two commits: BASE..HEAD", filepath.ToSlash(dir))
	}
	s.Before, s.After, s.Root = base, "work tree", repo.Prefix
	was, err := repo.Resolve(ctx, base)
	if err != nil {
		return nil, err
	}
	is := ""
	if head != "" {
		if is, err = repo.Resolve(ctx, head); err != nil {
			return nil, err
		}
		s.After = head
	}
	if mergeBase {
		if is == "" {
			return nil, cli.Usagef("%s...: name a commit after it; BASE.. compares with the work tree", base)
		}
		if was, err = repo.MergeBase(ctx, was, is); err != nil {
			return nil, err
		}
		s.Before = "merge base of " + base + " and " + head
	}
	s.Read = func(ctx context.Context) (pkgtree.Tree, pkgtree.Tree, error) {
		return readCommits(ctx, repo, dir, was, is)
	}
	return s, nil
}

// Compare reads what two rendered trees deliver, and compares it.
func (s *Sides) Compare(before, after pkgtree.Tree) (*fleet.Comparison, error) {
	was, err := fleet.Read(before, nil)
	if err != nil {
		return nil, fmt.Errorf("before, %s: %w", s.Before, err)
	}
	is, err := fleet.Read(after, was)
	if err != nil {
		return nil, fmt.Errorf("after, %s: %w", s.After, err)
	}
	return fleet.CompareWith(was, is, comparing(s.Progress))
}

// IsEmpty reports whether a side has no cluster that receives anything, and no package.
func IsEmpty(side *fleet.Fleet, tree pkgtree.Tree) bool {
	return len(side.Clusters()) == 0 && len(whatif.TopPackages(tree)) == 0
}

// AreEmpty reports whether there is nothing to compare, as where a folder is misspelt. Of PackageVariants, both sides may be empty.
func AreEmpty(found *fleet.Comparison, before, after pkgtree.Tree) bool {
	return IsEmpty(found.Before, before) && IsEmpty(found.After, after)
}

// Warnings returns what to print about the sides.
func (s *Sides) Warnings() []string { return slices.Concat(s.Stale, s.Duplicates) }

// Preview returns the comparison with the names of the sides.
func (s *Sides) Preview(found *fleet.Comparison, change *whatif.Change) *waybillapi.FleetPreview {
	preview := found.Preview(s.Root)
	preview.Before.Name, preview.After.Name = s.Before, s.After
	if !change.Empty() {
		preview.After.Name += ", what if"
	}
	return preview
}
