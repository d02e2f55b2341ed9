package depcheck

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// copyOfSite is a copy of the documents, with other texts in some, beside all else that is in the repository.
func copyOfSite(t *testing.T, documents map[string]string) (dir string) {
	t.Helper()
	testenv.Need(t, testenv.Hugo)
	from, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, entry := range entries {
		at, to := filepath.Join(from, entry.Name()), filepath.Join(dir, entry.Name())
		switch {
		case slices.Contains([]string{"docs", "examples", "functions"}, entry.Name()):
			err = os.CopyFS(to, os.DirFS(at))
		case filepath.Ext(at) == ".md": // Hugo follows no links
			err = os.WriteFile(to, []byte(read(t, entry.Name())), 0o600)
		default:
			err = os.Symlink(at, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range documents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSiteLinks writes links and images in the ways in which documents do.
func TestSiteLinks(t *testing.T) {
	const forge = "https://github.com/waybill-dev/waybill"
	cases := []struct{ reason, markdown, address string }{
		{"a page", "[x](install.md)", "../docs/install.html"},
		{"a section", "[x](install.md#completion)", "../docs/install.html#completion"},
		{"a section of this page", "[x](#links-and---images)", "#links-and---images"},
		{"a place that HTML names", "[x](#place)", "#place"},
		{"an index", "[x](README.md#guides)", "../docs/index.html#guides"},
		{"the first page", "[x](../README.md)", "../index.html"},
		{"another folder", "[x](../examples/edge-fleet/README.md \"title\")", "../examples/edge-fleet/README.html"},
		{"a link by name", "[x][name]", "../docs/push.html"},
		{"a page at the forge", "[x](" + forge + "/blob/main/docs/sync.md)", "../docs/sync.html"},
		{"a file that is no page", "[x](../Makefile#L1)", forge + "/blob/main/Makefile#L1"},
		{"a folder", "[x](../examples/edge-fleet)", forge + "/tree/main/examples/edge-fleet"},
		{"the repository", "[x](" + forge + "/issues)", forge + "/issues"},
		{"another site", "<https://example.org/x?y=1&z#here>", "https://example.org/x?y=1&z#here"},
		{"mail", "[x](mailto:a@example.org)", "mailto:a@example.org"},
		{"an image", "![text](picture.svg)", "../docs/picture.svg"},
		{"an image of a folder", "![text](tutorials/picture.svg)", "../docs/tutorials/picture.svg"},
		{"an image of an example", "![text](../examples/map/picture.png)", "../examples/map/picture.png"},
		{"an image in HTML", `<img src="picture.svg" alt="text">`, "picture.svg"},
	}
	text := "# Links, and `--images`\n\n[name]: push.md\n<a id=\"place\"></a>\n"
	for _, tc := range cases {
		text += "\n" + tc.markdown + "\n"
	}
	from := copyOfSite(t, map[string]string{"docs/glossary.md": text, "docs/picture.svg": "<svg/>", "docs/tutorials/picture.svg": "<svg/>", "examples/map/picture.png": "x"})
	to := t.TempDir()
	if out, err := makeSite(from, to); err != nil {
		t.Fatalf("make site: %v\n%s", err, out)
	}
	pages, err := readPages(os.DirFS(to))
	if err != nil {
		t.Fatal(err)
	}
	page := pages["docs/glossary.html"]
	for _, tc := range cases {
		if !slices.Contains(append(page.links, page.loads...), tc.address) {
			t.Errorf("%s: %s does not become %s", tc.reason, tc.markdown, tc.address)
		}
	}
	if faults := siteFaults(os.DirFS(to), pages); len(faults) > 0 {
		t.Error(strings.Join(faults, "\n"))
	}
}

// TestSiteRefuses builds documents with mistakes: each fails the build, by file and link.
func TestSiteRefuses(t *testing.T) {
	dir := copyOfSite(t, map[string]string{
		"docs/glossary.md": "# Glossary\n\n[a](gone.md) [b](install.md#gone) [c](#nowhere) [d](../../../etc/passwd) [e](../gone.go)\n" +
			"![f](gone.svg) ![g](https://example.org/x.png) ![h](../Makefile) [good](install.md#completion)\n",
		"docs/untitled.md": "No title.\n",
	})
	out, err := makeSite(dir, t.TempDir())
	want := []string{
		"docs/glossary.md: image \"../Makefile\": the site has only files docs/** and examples/** with names that end in gif, jpg, png or svg",
		"docs/glossary.md: image \"gone.svg\": there is no such file",
		"docs/glossary.md: image \"https://example.org/x.png\": there is no such file",
		"docs/glossary.md: link \"#nowhere\": the page has no such heading",
		"docs/glossary.md: link \"../../../etc/passwd\": there is no such file",
		"docs/glossary.md: link \"../gone.go\": there is no such file",
		"docs/glossary.md: link \"gone.md\": there is no such file",
		"docs/glossary.md: link \"install.md#gone\": the page has no such heading",
		"docs/untitled.md: the page has no title: let it begin with a line such as `# Title`",
	}
	if diff := cmp.Diff(want, firsts(`(?m)^ERROR (docs/(?:glossary|untitled).*)$`, string(out))); diff != "" || err == nil {
		t.Errorf("make site: %v\n%s\n(-want +got):\n%s", err, out, diff)
	}
}
