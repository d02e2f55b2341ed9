package depcheck

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// buildSite lets make build the site in a new folder.
func buildSite(t testing.TB) string {
	t.Helper()
	testenv.Need(t, testenv.Hugo)
	dir := t.TempDir()
	if out, err := makeSite(root, dir); err != nil {
		t.Fatalf("make site: %v\n%s", err, out)
	}
	return dir
}

func makeSite(from, to string) (out []byte, err error) {
	return exec.Command("make", "-C", from, "--no-print-directory", "site", "SITE="+to).CombinedOutput() // #nosec G204 -- a test
}

// siteDocuments are the Markdown files that the site shows, and their pages. Others are in folders that hold no documents.
func siteDocuments(t *testing.T) map[string]string {
	t.Helper()
	documents := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "examples/*/README.md", "functions/*.md", "functions/*/README.md"} {
		files, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			documents[file] = strings.TrimSuffix(file, ".md") + ".html"
		}
	}
	documents["README.md"], documents["docs/README.md"] = "index.html", "docs/index.html"
	return documents
}

// TestSite builds the site, and checks what is in it.
func TestSite(t *testing.T) {
	dir := buildSite(t)
	t.Run("Pages", func(t *testing.T) { checkPages(t, os.DirFS(dir)) })
	t.Run("Index", func(t *testing.T) { checkIndex(t, os.DirFS(dir)) })
	t.Run("Reproducible", func(t *testing.T) { checkSame(t, dir, buildSite(t)) })
}

// checkPages holds the site to the documents: every one has its page, whose headings have GitHub's names, all links lead
// somewhere, and nothing comes from elsewhere.
func checkPages(t *testing.T, dir fs.FS) {
	pages, err := readPages(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range siteFaults(dir, pages) {
		t.Error(fault)
	}
	documents := siteDocuments(t)
	if len(documents) < 70 || len(documents) != len(pages) {
		t.Errorf("%d documents are %d pages", len(documents), len(pages))
	}
	for document, file := range documents {
		names := slices.DeleteFunc(slices.Clone(pages[file].ids), func(id string) bool { return id != strings.ToLower(id) }) // of the frame
		want := fragments(read(t, document))
		slices.Sort(names)
		slices.Sort(want)
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s: names of headings (-GitHub +site):\n%s", document, diff)
		}
	}
	for _, file := range []string{"site.css", "search.js"} {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`url\(|@import|https?:|fetch\(|innerHTML|eval\(`).Find(text); found != nil {
			t.Errorf("%s has %q", file, found)
		}
	}
}

// siteIndex is the content of search-index.js.
type siteIndex struct {
	pages    [][2]string // title, address
	sections [][4]any    // number of the page, place, heading, text
}

func readIndex(t *testing.T, dir fs.FS) (index siteIndex) {
	t.Helper()
	text, err := fs.ReadFile(dir, "search-index.js")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var page [2]string
		var section [4]any
		line = bytes.TrimSuffix(line, []byte(",\n"))
		switch {
		case !bytes.HasPrefix(line, []byte("[")):
		case len(index.sections) == 0 && json.Unmarshal(line, &page) == nil && line[1] == '"':
			index.pages = append(index.pages, page)
		default:
			if err := json.Unmarshal(line, &section); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			index.sections = append(index.sections, section)
		}
	}
	t.Logf("search-index.js: %d pages, %d sections, %d KiB", len(index.pages), len(index.sections), len(text)/1024)
	if len(text) > 1<<20 {
		t.Errorf("search-index.js has %d bytes", len(text))
	}
	return index
}

// checkIndex wants every heading of every page in the index of the search, with its text as it was typed, and no HTML.
func checkIndex(t *testing.T, dir fs.FS) {
	index := readIndex(t, dir)
	found := map[string][]string{} // places by address
	for _, s := range index.sections {
		address := index.pages[int(s[0].(float64))][1]
		found[address] = append(found[address], s[1].(string))
		if found := regexp.MustCompile("</|&quot;|&lt;|[“”‘’]").FindString(s[3].(string)); found != "" {
			t.Errorf("%s#%s: %q is not in the document", address, s[1], found)
		}
	}
	for document, file := range siteDocuments(t) {
		for _, name := range fragments(read(t, document)) {
			if !slices.Contains(found[file], name) && !strings.Contains(read(t, document), `id="`+name+`"`) {
				t.Errorf("%s#%s is not in the index", file, name)
			}
		}
	}
	has := func(s [4]any) bool {
		return index.pages[int(s[0].(float64))] == [2]string{"Troubleshooting", "docs/troubleshooting.html"} && strings.Contains(s[3].(string), "waybill doctor")
	}
	if !slices.ContainsFunc(index.sections, has) {
		t.Error("no section of Troubleshooting has the words of docs/troubleshooting.md")
	}
}

// checkSame wants two builds to have the same files.
func checkSame(t *testing.T, first, second string) {
	t.Helper()
	files, size := 0, int64(0)
	err := filepath.WalkDir(first, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		one, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(second, strings.TrimPrefix(file, first)))
		if !bytes.Equal(one, other) {
			t.Errorf("%s: differs: %v", strings.TrimPrefix(file, first), err)
		}
		files, size = files+1, size+int64(len(one))
		return nil
	})
	if err != nil || files < 70 {
		t.Errorf("%d files: %v", files, err)
	}
	t.Logf("%d files, %d KiB", files, size/1024)
}
