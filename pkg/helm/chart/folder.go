package chart

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/ignore"
)

// Folder takes the files of a chart that lies in a folder, in any order, and leaves out those that .helmignore names.
func Folder(files []File) ([]File, error) {
	rules, b := ignore.Empty(), newBudget()
	for _, f := range files {
		if f.Name == ignore.HelmIgnore {
			r, err := ignore.Parse(bytes.NewReader(f.Data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
			}
			rules = r
		}
	}
	rules.AddDefaults()
	var kept []File
	for _, f := range files {
		if isIgnored(rules, f.Name) {
			continue
		}
		if err := b.take(f.Name, int64(len(f.Data))); err != nil {
			return nil, err
		}
		kept = append(kept, File{f.Name, bytes.TrimPrefix(f.Data, utf8BOM)})
	}
	slices.SortFunc(kept, func(x, y File) int {
		return slices.CompareFunc(strings.Split(x.Name, "/"), strings.Split(y.Name, "/"), cmp.Compare[string])
	})
	return kept, nil
}

// isIgnored reports whether the rules leave out a file or a folder that it is in.
func isIgnored(rules *ignore.Rules, name string) bool {
	for i, r := range name {
		if r == '/' && rules.Ignore(name[:i], entryInfo{name[:i], true}) {
			return true
		}
	}
	return rules.Ignore(name, entryInfo{name, false})
}

// entryInfo says to rules what a path is.
type entryInfo struct {
	path string
	dir  bool
}

func (e entryInfo) Name() string       { return path.Base(e.path) }
func (e entryInfo) IsDir() bool        { return e.dir }
func (e entryInfo) Size() int64        { return 0 }
func (e entryInfo) ModTime() time.Time { return time.Time{} }
func (e entryInfo) Sys() any           { return nil }
func (e entryInfo) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}
