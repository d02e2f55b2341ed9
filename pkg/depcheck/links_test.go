package depcheck

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// blobs is where GitHub shows the files of this repository.
var blobs = regexp.MustCompile(`^https://github\.com/waybill-dev/waybill/(?:blob|tree)/main/?`)

var (
	codeBlocks  = regexp.MustCompile("(?ms)^[ \t]*`{3,}[^`\n]*$.*?^[ \t]*`{3,}[ \t]*$") // with backticks behind, it is a span
	codePadding = regexp.MustCompile("(`{2,}) (.+?) (`{2,})")
	codeSpans   = regexp.MustCompile("`[^`\n]+`")
	comments    = regexp.MustCompile(`(?s)<!--.*?-->`)
	linkTargets = []*regexp.Regexp{
		regexp.MustCompile(`\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\))?[^()\s<>]*)>?(?:\s+"[^"]*")?\s*\)`), // [text](target "title")
		regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]+<?([^\s>]+)`),                              // [name]: target
		regexp.MustCompile(`(?:href|src)="([^"]*)"`),
	}
	headings = regexp.MustCompile(`(?m)^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$`)
	anchors  = regexp.MustCompile(`<[a-z0-9]+ [^>]*(?:id|name)="([^"]+)"`)
	linkText = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
)

// linkFaults lists the links of a document that lead to no file of fsys, or to no heading of it. Other sites are not asked.
func linkFaults(fsys fs.FS, document string) (faults []string, err error) {
	text, err := fs.ReadFile(fsys, document)
	if err != nil {
		return nil, err
	}
	prose := codeSpans.ReplaceAllString(comments.ReplaceAllString(codeBlocks.ReplaceAllString(string(text), ""), ""), "``")
	for _, kind := range linkTargets {
		for _, match := range kind.FindAllStringSubmatch(prose, -1) {
			if why := linkFault(fsys, document, match[1]); why != "" {
				faults = append(faults, fmt.Sprintf("%s: link %q: %s", document, match[1], why))
			}
		}
	}
	return faults, nil
}

func linkFault(fsys fs.FS, document, link string) string {
	target, fragment, _ := strings.Cut(link, "#")
	switch {
	case blobs.MatchString(target):
		target = path.Clean("./" + blobs.ReplaceAllString(target, ""))
	case regexp.MustCompile(`^[a-z]+:`).MatchString(target):
		return ""
	case target == "":
		target = document
	default:
		target = path.Join(path.Dir(document), target)
	}
	if !fs.ValidPath(target) {
		return "it leads out of the repository"
	}
	if _, err := fs.Stat(fsys, target); err != nil {
		return "there is no such file"
	}
	if fragment == "" || path.Ext(target) != ".md" {
		return ""
	}
	text, err := fs.ReadFile(fsys, target)
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(fragments(string(text)), fragment) {
		return "the page has no such heading"
	}
	return ""
}

// fragments are the names that GitHub gives the headings of a page, and those that the page gives.
func fragments(text string) (names []string) {
	prose := codeBlocks.ReplaceAllString(text, "")
	for _, match := range headings.FindAllStringSubmatch(prose, -1) {
		name := fragment(match[1])
		if n := countOf(names, name); n > 0 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		names = append(names, name)
	}
	for _, match := range anchors.FindAllStringSubmatch(prose, -1) {
		names = append(names, match[1])
	}
	return names
}

func fragment(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, linkText.ReplaceAllString(codePadding.ReplaceAllString(heading, "$1$2$3"), "$1"))
}

// countOf is how many headings had the name before.
func countOf(names []string, name string) (n int) {
	for _, known := range names {
		rest, found := strings.CutPrefix(known, name)
		if found && (rest == "" || regexp.MustCompile(`^-[0-9]+$`).MatchString(rest)) {
			n++
		}
	}
	return n
}

// TestLinks wants every link of every page to lead to a file, and to a heading of it where it names one. Texts in pkg
// become README files of functions, which are checked where they are read.
func TestLinks(t *testing.T) {
	fsys, seen := os.DirFS(root), 0
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "dist", "pkg", "testdata"}, d.Name()):
			return fs.SkipDir
		case path.Ext(file) != ".md":
			return nil
		}
		seen++
		faults, err := linkFaults(fsys, file)
		for _, fault := range faults {
			t.Error(fault)
		}
		return err
	})
	if err != nil || seen < 30 {
		t.Errorf("only %d pages were found: %v", seen, err)
	}
}

func TestLinkFaults(t *testing.T) {
	other := "# One\n## The `--all` flag, and [more](x)\n## One\n```\n# not a heading\n```\n<a id=\"mark\"></a>\n" +
		"## `` run `x` ``\n```` ```a span ````\n## After it\n```\n```\n"
	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Good": {
			reason: "files, folders, headings and marks that are there",
			text: "[a](other.md) [b](../docs) [c](other.md#the---all-flag-and-more) [d](other.md#one-1) [d](other.md#run-x) [d](other.md#after-it) [e](other.md#mark \"t\")\n" +
				"[f]: ../main.go#L1\n# Here\n[g](#here) <https://example.org/x> [h](https://example.org/#x) ![i](<other.md>)\n" +
				"[j](https://github.com/waybill-dev/waybill/blob/main/docs/other.md#one)",
		},
		"Code":    {reason: "what code shows is no link", text: "`[a](gone.md)`\n```\n[a](gone.md)\n```\n<!-- [a](gone.md) -->"},
		"File":    {reason: "a file is gone", text: "[a](gone.md)", want: []string{`docs/page.md: link "gone.md": there is no such file`}},
		"Outside": {reason: "../ once too often", text: "[a](../../x)", want: []string{`docs/page.md: link "../../x": it leads out of the repository`}},
		"Heading": {
			reason: "a heading was renamed; that of a code block is none",
			text:   "[a](other.md#two) [b](#there) [c](other.md#not-a-heading)",
			want: []string{
				`docs/page.md: link "other.md#two": the page has no such heading`,
				`docs/page.md: link "#there": the page has no such heading`,
				`docs/page.md: link "other.md#not-a-heading": the page has no such heading`,
			},
		},
		"Definition": {reason: "links by name, and HTML", text: "[a]: gone.md\n<img src=\"gone.png\">", want: []string{
			`docs/page.md: link "gone.md": there is no such file`,
			`docs/page.md: link "gone.png": there is no such file`,
		}},
		"Published": {
			reason: "our own pages at GitHub are files of ours",
			text:   "[a](https://github.com/waybill-dev/waybill/tree/main/gone)",
			want:   []string{`docs/page.md: link "https://github.com/waybill-dev/waybill/tree/main/gone": there is no such file`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"docs/page.md": {Data: []byte(tc.text)}, "docs/other.md": {Data: []byte(other)}, "main.go": {}}
			got, err := linkFaults(fsys, "docs/page.md")
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
		})
	}
}
