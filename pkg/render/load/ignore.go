package load

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	gitignore "github.com/monochromegane/go-gitignore"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// IgnoreFile hides resource files of its package, in gitignore syntax.
const IgnoreFile = ".krmignore"

// ignoreRules answers which files the .krmignore files of a tree hide. It uses the library that
// kyaml uses, so that what kpt hides is hidden here.
type ignoreRules struct {
	tree     pkgtree.Tree
	matchers map[string]gitignore.IgnoreMatcher // by package; nil when it has no .krmignore
	invalid  error                              // of the first .krmignore that is not valid
}

// maxIgnoreFile is far above the size of any real .krmignore, whose every line is matched against every file.
const maxIgnoreFile = 64<<10 - 1

// hides reports whether file, in the package at pkgDir, is hidden: a rule of the .krmignore at that
// package's root matches it or a directory on the way to it. Rules of other packages do not count.
func (r *ignoreRules) hides(pkgDir, file string) bool {
	m := r.matcher(pkgDir)
	return m != nil && matchesWithParents(m, pkgDir, file)
}

// MayLink allows the lock files that editors make, and links that .krmignore hides. Other symbolic links are not followed: the
// resources that they lead to would count as deleted.
func MayLink(tree pkgtree.Tree) func(link string) bool {
	hidden := Hidden(tree)
	return func(link string) bool { return strings.HasPrefix(path.Base(link), ".#") || hidden(link) }
}

// Hidden says which files the .krmignore of their package hides: they hold no resources, whatever their names are.
func Hidden(tree pkgtree.Tree) func(file string) bool {
	rules := ignoreRules{tree: tree}
	return func(file string) bool { return rules.hides(path.Clean(tree.PackageOf(file)), file) }
}

// matchesWithParents reports whether a rule matches file or a directory between dir and file.
func matchesWithParents(m gitignore.IgnoreMatcher, dir, file string) bool {
	rel := file
	if dir != "." {
		rel = strings.TrimPrefix(file, dir+"/")
	}
	for i, c := range rel {
		if c == '/' && m.Match(path.Join("/", dir, rel[:i]), true) {
			return true
		}
	}
	return m.Match(path.Join("/", dir, rel), false)
}

func (r *ignoreRules) matcher(dir string) gitignore.IgnoreMatcher {
	if m, known := r.matchers[dir]; known {
		return m
	}
	var m gitignore.IgnoreMatcher
	if data, ok := r.tree.Get(path.Join(dir, IgnoreFile)); ok {
		if err := checkRules(data); err == nil {
			m = gitignore.NewGitIgnoreFromReader(path.Join("/", dir), bytes.NewReader(data))
		} else if r.invalid == nil {
			r.invalid = fmt.Errorf("%s: %w", path.Join(dir, IgnoreFile), err)
		}
	}
	if r.matchers == nil {
		r.matchers = map[string]gitignore.IgnoreMatcher{}
	}
	r.matchers[dir] = m
	return m
}

// checkRules refuses what the library panics on, or silently ignores.
func checkRules(data []byte) error {
	if len(data) > maxIgnoreFile {
		return fmt.Errorf("is %d bytes, more than the %d allowed", len(data), maxIgnoreFile)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		rule := strings.Trim(strings.TrimRight(line, "\r\n"), " ")
		name := strings.TrimPrefix(strings.TrimPrefix(rule, "!"), "/")
		if rule != "" && name == "" {
			return fmt.Errorf("line %d: %q names no file", n, rule)
		}
	}
	return nil
}
