package render

import (
	"bytes"
	"path"
	"strings"

	gitignore "github.com/monochromegane/go-gitignore"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ignoreFile hides resource files of its package, in gitignore syntax.
const ignoreFile = ".krmignore"

// ignoreRules answers which files the .krmignore files of a tree hide. It uses the library that
// kyaml uses, so that what kpt hides is hidden here.
type ignoreRules struct {
	tree     pkgtree.Tree
	matchers map[string]gitignore.IgnoreMatcher // by package; nil when it has no .krmignore
}

// hides reports whether file, in the package at pkgDir, is hidden: a rule of the .krmignore at that
// package's root matches it or a directory on the way to it. Rules of other packages do not count.
func (r *ignoreRules) hides(pkgDir, file string) bool {
	m := r.matcher(pkgDir)
	return m != nil && matchesOnTheWay(m, pkgDir, file)
}

func matchesOnTheWay(m gitignore.IgnoreMatcher, dir, file string) bool {
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
	if data, ok := r.tree.Get(path.Join(dir, ignoreFile)); ok {
		m = gitignore.NewGitIgnoreFromReader(path.Join("/", dir), bytes.NewReader(data))
	}
	if r.matchers == nil {
		r.matchers = map[string]gitignore.IgnoreMatcher{}
	}
	r.matchers[dir] = m
	return m
}
