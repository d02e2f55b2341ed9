package gittest

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// bare are the files of an empty repository, once git has made one.
var bare struct {
	sync.Mutex
	files fstest.MapFS
}

// emptyBare has git make an empty repository, once for all tests, without sample hooks.
func emptyBare(t testing.TB) fs.FS {
	t.Helper()
	bare.Lock()
	defer bare.Unlock()
	if bare.files != nil {
		return bare.files
	}
	dir := t.TempDir()
	Git(t, dir, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", ".")
	options := []string{"gc.auto=0", "receive.autogc=false", "maintenance.auto=false", "http.receivepack=true"}
	if os.Getenv("WAYBILL_GIT_FILTER") != "" { // tests run on a server that sends parts of commits, as GitHub, GitLab and Gitea
		options = append(options, "uploadpack.allowFilter=true", "uploadpack.allowAnySHA1InWant=true")
	}
	for _, option := range options {
		Config(t, dir, option)
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		file := &fstest.MapFile{Mode: d.Type() | 0o755}
		if err == nil && !d.IsDir() {
			file.Mode = 0o644
			file.Data, err = os.ReadFile(filepath.Join(dir, name)) // #nosec G304 -- in our folder
		}
		files[name] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bare.files = files
	return files
}

// Refs lists every ref of the repository in dir as "<id> <name>" lines, sorted by name. It reads their files; what it finds
// there and does not know, it leaves to git.
func Refs(t testing.TB, dir string) string {
	t.Helper()
	refs := map[string]string{}
	if !looseRefs(dir, refs) || !packedRefs(dir, refs) {
		return Git(t, dir, "for-each-ref", "--format=%(objectname) %(refname)")
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		lines = append(lines, refs[name]+" "+name)
	}
	return strings.Join(lines, "\n")
}

var plainRef = regexp.MustCompile(`^([0-9a-f]{40}) (refs/[A-Za-z0-9][A-Za-z0-9./_-]*)$`)

// looseRefs reads the refs that have a file each. One that goes meanwhile is deleted, or among the packed ones.
func looseRefs(dir string, refs map[string]string) (known bool) {
	err := fs.WalkDir(os.DirFS(dir), "refs", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".lock") { // as git does
			return err
		}
		id, err := os.ReadFile(filepath.Join(dir, name)) // #nosec G304 -- of a repository of the test
		if ref := plainRef.FindStringSubmatch(strings.TrimSpace(string(id)) + " " + name); err == nil && ref != nil {
			refs[ref[2]] = ref[1]
			return nil
		}
		return fs.ErrInvalid
	})
	return err == nil
}

// packedRefs adds the refs of the file packed-refs, except those that have their own file.
func packedRefs(dir string, refs map[string]string) (known bool) {
	packed, err := os.ReadFile(filepath.Join(dir, "packed-refs")) // #nosec G304 -- of a repository of the test
	if err != nil {
		return os.IsNotExist(err)
	}
	for line := range strings.Lines(string(packed)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "^") { // a header, and what the tag before points to
			continue
		}
		ref := plainRef.FindStringSubmatch(line)
		if ref == nil {
			return false
		}
		if refs[ref[2]] == "" {
			refs[ref[2]] = ref[1]
		}
	}
	return true
}
