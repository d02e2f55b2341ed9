package depcheck

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// sitePage is what the checks read from an HTML page: the names of its places, in order, where its links lead, and what it loads.
type sitePage struct {
	ids, links, loads []string
}

// readPage parses a page.
func readPage(fsys fs.FS, file string) (sitePage, error) {
	f, err := fsys.Open(file)
	if err != nil {
		return sitePage{}, err
	}
	defer f.Close()
	tree, err := html.Parse(f)
	if err != nil {
		return sitePage{}, err
	}
	var p sitePage
	for n := range tree.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				p.ids = append(p.ids, a.Val)
			case a.Key == "href" && n.Data == "a":
				p.links = append(p.links, a.Val)
			case slices.Contains([]string{"href", "src", "srcset", "data", "poster"}, a.Key):
				p.loads = append(p.loads, a.Val)
			}
		}
	}
	return p, nil
}

// readPages reads all pages of a site.
func readPages(fsys fs.FS) (map[string]sitePage, error) {
	pages := map[string]sitePage{}
	err := fs.WalkDir(fsys, ".", func(file string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(file) == ".html" {
			pages[file], err = readPage(fsys, file)
		}
		return err
	})
	return pages, err
}

// siteFaults lists what is wrong with pages: links within the site that lead nowhere, loads of what is not in the site, and
// pages to which no links lead from index.html.
func siteFaults(fsys fs.FS, pages map[string]sitePage) (faults []string) {
	reached := map[string]bool{"index.html": true}
	for queue := []string{"index.html"}; len(queue) > 0; queue = queue[1:] {
		for _, link := range pages[queue[0]].links {
			file, _ := siteTarget(queue[0], link)
			if _, exists := pages[file]; exists && !reached[file] {
				reached[file] = true
				queue = append(queue, file)
			}
		}
	}
	for file, page := range pages {
		if !reached[file] {
			faults = append(faults, fmt.Sprintf("%s: no links lead there from index.html", file))
		}
		for i, id := range page.ids {
			if slices.Contains(page.ids[:i], id) {
				faults = append(faults, fmt.Sprintf("%s: two places are called %q", file, id))
			}
		}
		for _, link := range page.links {
			if why := siteLinkFault(fsys, pages, file, link); why != "" {
				faults = append(faults, fmt.Sprintf("%s: link %q: %s", file, link, why))
			}
		}
		for _, load := range page.loads {
			if target, _ := siteTarget(file, load); !isFile(fsys, target) {
				faults = append(faults, fmt.Sprintf("%s: loads %q, which is not in the site", file, load))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

func siteLinkFault(fsys fs.FS, pages map[string]sitePage, file, link string) string {
	target, fragment := siteTarget(file, link)
	page, isPage := pages[target]
	switch {
	case target == "":
		return ""
	case !isFile(fsys, target):
		return "there is no such file"
	case fragment != "" && (!isPage || !slices.Contains(page.ids, fragment)):
		return "the page has no such place"
	}
	return ""
}

// siteTarget is the file and the place that a page of the site names by an address; no file if that is of another site. An address
// that begins with / names no file, as the site may be in any folder.
func siteTarget(from, address string) (file, fragment string) {
	u, err := url.Parse(address)
	switch {
	case err != nil, strings.HasPrefix(address, "/"):
		return "not a relative address", ""
	case u.Scheme != "" || u.Host != "":
		return "", ""
	case u.Path == "":
		return from, u.Fragment
	}
	return path.Join(path.Dir(from), u.Path), u.Fragment
}

func isFile(fsys fs.FS, name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

func TestSiteFaults(t *testing.T) {
	cases := map[string]struct {
		reason string
		page   string
		want   []string
	}{
		"Good": {
			reason: "places of this page and of others, other sites, and what is loaded from the site",
			page: `<link rel="stylesheet" href="../site.css"><a href="../index.html">x</a><a href="#here">x</a><h2 id="here"></h2>` +
				`<a href="../index.html#top">x</a><a href="https://example.org/x">x</a><a href="mailto:a@example.org">x</a><img src="../site.css">`,
		},
		"File":    {"a file is missing, or is a folder", `<a href="gone.html">x</a><a href="../docs">x</a>`, []string{`docs/page.html: link "../docs": there is no such file`, `docs/page.html: link "gone.html": there is no such file`}},
		"Place":   {"a heading is missing", `<a href="#gone">x</a><a href="../index.html#gone">x</a>`, []string{`docs/page.html: link "#gone": the page has no such place`, `docs/page.html: link "../index.html#gone": the page has no such place`}},
		"Twice":   {"a heading that is called like something else", `<i id="x"></i><h2 id="x"></h2>`, []string{`docs/page.html: two places are called "x"`}},
		"Root":    {"works only at the root of a server", `<a href="/index.html">x</a>`, []string{`docs/page.html: link "/index.html": there is no such file`}},
		"Outside": {"../ once too often", `<a href="../../index.html">x</a>`, []string{`docs/page.html: link "../../index.html": there is no such file`}},
		"Fetched": {
			reason: "scripts, styles, images and frames of other sites",
			page:   `<script src="https://example.org/x.js"></script><link href="//example.org/x.css"><img srcset="http://example.org/x.png"><iframe src="data:text/html,x"></iframe>`,
			want: []string{`docs/page.html: loads "//example.org/x.css", which is not in the site`, `docs/page.html: loads "data:text/html,x", which is not in the site`,
				`docs/page.html: loads "http://example.org/x.png", which is not in the site`, `docs/page.html: loads "https://example.org/x.js", which is not in the site`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"index.html": {Data: []byte(`<h1 id="top"></h1><a href="docs/page.html">x</a>`)}, "docs/page.html": {Data: []byte(tc.page)},
				"docs/alone.html": {}, "site.css": {}}
			pages, err := readPages(fsys)
			want := append([]string{"docs/alone.html: no links lead there from index.html"}, tc.want...)
			if diff := cmp.Diff(want, siteFaults(fsys, pages)); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
		})
	}
}
