package revision

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// content is a package's files, and which of them are executable.
type content struct {
	pkgtree.Tree
	executable map[string]bool
}

// content reads a package.
func (s *Store) content(at origin) (content, error) {
	c := content{executable: map[string]bool{}}
	var err error
	if c.Tree, err = s.repo.Package(at.commit, at.path); err != nil {
		return c, err
	}
	listed, err := s.repo.List(at.commit, at.path)
	for _, f := range listed {
		if f.Executable {
			c.executable[f.Path] = true
		}
	}
	return c, err
}

// files are those of a package, none when it does not exist or cannot be read.
func (b *bundle) files(at origin) content {
	if at.commit.IsZero() {
		return content{}
	}
	c, err := b.store.content(at)
	if err != nil {
		return content{}
	}
	return c
}

// same reports whether both have no file at a path, or files of the same bytes and mode.
func (c content) same(o content, p string) bool {
	return c.Blob(p).Equal(o.Blob(p)) && c.executable[p] == o.executable[p]
}

// changed are the paths at which the two differ, sorted.
func (c content) changed(o content) []string {
	out := c.Diff(o.Tree)
	for _, programs := range []map[string]bool{c.executable, o.executable} {
		for p := range programs {
			if !c.same(o, p) {
				out = append(out, p)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
