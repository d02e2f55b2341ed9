package engine

import (
	"encoding/base64"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gobwas/glob"
)

// Files are the files of a chart that are no templates, by path. Templates call its methods.
type Files map[string][]byte

// GetBytes is a file, empty if there is none.
func (f Files) GetBytes(name string) []byte {
	if data, has := f[name]; has {
		return data
	}
	return []byte{}
}

// Get is a file as text.
func (f Files) Get(name string) string { return string(f[name]) }

// Lines are the lines of a file.
func (f Files) Lines(name string) []string {
	if len(f[name]) == 0 {
		return []string{}
	}
	return strings.Split(strings.TrimSuffix(string(f[name]), "\n"), "\n")
}

// maxGlob is the longest pattern, in bytes, and maxStars the most wildcards in it: matching may try each with each.
const maxGlob, maxStars = 256, 8

// Glob are the files that a pattern matches; with a pattern that is wrong, all of them.
func (f Files) Glob(pattern string) Files {
	g := compileGlob(pattern)
	found := Files{}
	for name, data := range f {
		if g.Match(name) {
			found[name] = data
		}
	}
	return found
}

func compileGlob(pattern string) glob.Glob {
	if len(pattern) > maxGlob || strings.Count(pattern, "*")+strings.Count(pattern, "{") > maxStars {
		panic("a pattern of Files.Glob is longer than 256 bytes, or has more than 8 stars and braces")
	}
	g, err := glob.Compile(pattern, '/')
	if err != nil {
		return glob.MustCompile("**")
	}
	return g
}

// AsConfig is the data of a ConfigMap with the files, by the last part of their paths. Of files with the same one, the last path
// counts.
func (f Files) AsConfig() string { return f.data(func(data []byte) string { return string(data) }) }

// AsSecrets is the data of a Secret with the files.
func (f Files) AsSecrets() string { return f.data(base64.StdEncoding.EncodeToString) }

func (f Files) data(encode func([]byte) string) string {
	if f == nil {
		return ""
	}
	data := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		data[path.Base(name)] = encode(f[name])
	}
	return orEmpty(toYAML)(data)
}
