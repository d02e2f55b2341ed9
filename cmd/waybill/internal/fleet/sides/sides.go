// Package sides finds, reads and renders the two sides of a change: folders, commits or the work tree.
package sides

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// Sides is what to compare.
type Sides struct {
	Before, After string   // what they are called
	Name          string   // what the package is called in messages
	Root          string   // what files are named below, with slashes
	Rendered      bool     // they are, and nothing is to be changed in them
	Failed        error    // that somebody was told of while they were read, and is to show in the exit code
	Duplicates    []string // warnings about works that stand in several files
	Stale         []string // warnings about generated works that are not what rendering gives
	Read          func(context.Context) (before, after pkgtree.Tree, err error)
}

// Find returns the sides that the arguments name.
func (f *Flags) Find(ctx context.Context, args []string, whatIf bool) (*Sides, error) {
	if len(args) == 2 {
		return OfFolders(args[0], args[1])
	}
	dir, base, head, joint := f.Dir, "HEAD", "", false
	if len(args) == 1 {
		var ok bool
		if base, head, joint, ok = SplitRange(args[0]); !ok {
			if f.Dir != "." {
				return nil, cli.Usagef("%q is no range of commits, and --dir names the folder already", args[0])
			}
			dir, base, head = args[0], "HEAD", ""
		}
	} else if whatIf {
		return OfFolder(dir)
	}
	return ofCommits(ctx, dir, base, head, joint)
}

// SplitRange takes BASE..HEAD and BASE...HEAD apart. No name of a commit begins or ends like a path that goes up.
func SplitRange(arg string) (base, head string, joint, ok bool) {
	base, head, ok = strings.Cut(arg, "..")
	if ok {
		head, joint = strings.CutPrefix(head, ".")
	}
	ok = ok && base != "" && !strings.HasSuffix(base, "/") && !strings.HasPrefix(head, "/")
	return base, head, joint, ok
}

func OfFolders(before, after string) (*Sides, error) {
	s, err := namedAfter(after)
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

// OfFolder is a folder twice, of which one is to be changed.
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

func namedAfter(dir string) (*Sides, error) {
	abs, err := filepath.Abs(dir)
	return &Sides{Name: filepath.Base(abs)}, err
}

func ReadFolder(dir string) (pkgtree.Tree, error) {
	return pkgtree.ReadDir(dir, render.InputFiles)
}

// ofCommits is a commit and another, or the work tree where head is empty; joint means the merge base instead of base.
func ofCommits(ctx context.Context, dir, base, head string, joint bool) (*Sides, error) {
	s, err := namedAfter(dir)
	if err != nil {
		return nil, err
	}
	repo, err := commits.At(ctx, dir)
	if err != nil {
		return nil, err
	}
	if repo.Bare && head == "" {
		return nil, cli.Usagef("%s is a bare repository, which has no work tree; name two commits: BASE..HEAD", filepath.ToSlash(dir))
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
	if joint {
		if is == "" {
			return nil, cli.Usagef("%s...: name a commit behind it; BASE.. compares with the work tree", base)
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

// workTree reads what git takes the folder for. One that is not there has what a sparse checkout left out or, without that,
// is none.
func workTree(
	ctx context.Context, repo *commits.Repository, dir string, known commits.Known, limits pkgtree.Limits,
) (tree pkgtree.Tree, err error) {
	_, gone := os.Stat(dir)
	if gone == nil {
		tree, err = ReadFolder(dir)
	}
	if err == nil {
		tree, err = repo.WorkTree(ctx, tree, known, limits)
	}
	if err == nil && gone != nil && tree.Len() == 0 {
		err = &commits.NoFolderError{Commit: "work tree", Dir: repo.Prefix}
	}
	return tree, err
}

// readCommits reads what stands in the folder of repo at two commits, or in dir for the empty one. What both have is read
// once. A folder that only one has is a package that comes, or goes.
func readCommits(ctx context.Context, repo *commits.Repository, dir, was, is string) (before, after pkgtree.Tree, err error) {
	known := commits.Known{}
	limits := render.InputFiles
	var lacking, none *commits.NoFolderError
	if is == "" {
		after, err = workTree(ctx, repo, dir, known, limits)
	} else {
		after, err = repo.Files(ctx, is, known, limits)
	}
	if errors.As(err, &lacking) {
		err = nil
	}
	if err != nil {
		return before, after, err
	}
	limits.MayLink = nil // none was followed when this was rendered
	before, err = repo.Files(ctx, was, known, limits)
	if errors.As(err, &none) && lacking == nil {
		err = nil
	}
	return before, after, err
}

// Render are both sides as they are shipped, the one after with the change.
func (f *Flags) Render(ctx context.Context, sides *Sides, change *fleet.WhatIf) (before, after pkgtree.Tree, err error) {
	if before, after, err = sides.Read(ctx); err != nil {
		return before, after, err
	}
	if after, _, err = change.Apply(after); err != nil {
		return before, after, err
	}
	was, is, err := f.renderBoth(ctx, sides, before, after)
	if err == nil {
		err = sides.warnOfStale(before, after, was, is)
	}
	return was, is, err
}

// Warnings are those about the sides.
func (s *Sides) Warnings() []string { return slices.Concat(s.Stale, s.Duplicates) }

// Preview is a comparison of the sides, under their names.
func (s *Sides) Preview(found *fleet.Comparison, change *fleet.WhatIf) *waybillapi.FleetPreview {
	preview := found.Preview(s.Root)
	preview.Before.Name, preview.After.Name = s.Before, s.After
	if !change.Empty() {
		preview.After.Name += ", what if"
	}
	return preview
}
