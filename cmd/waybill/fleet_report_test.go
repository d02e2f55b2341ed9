package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFleetReport asks for reports in all ways, of all kinds, and for what cannot be.
func TestFleetReport(t *testing.T) {
	root := previewRepo(t)
	writeFile(t, filepath.Join(root, "new.yaml"), previewClusters("new"), 0o644)
	writeFile(t, filepath.Join(root, "broken", "Kptfile"), strings.Replace(previewKptfile, "bundle-manifestwork", "nobody", 1), 0o644)
	if err := os.Mkdir(filepath.Join(root, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	shop := []string{"--dir", "shop"}
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		has    []string // in standard output
		lacks  string
		stderr string
	}{
		"Page":       {"the work tree alone", []string{"shop", "-o", "-"}, exitDone, []string{"<!doctype html>", "work tree: 3 of 3 clusters receive 6 objects, by 1 policy.", `"changes":null`, "replicas: 0"}, "replicas: 3", ""},
		"Range":      {"and what changes", append(shop, "HEAD~1..HEAD", "-o", "-"), exitDone, []string{"From HEAD~1 to HEAD: 3 of 3 clusters change. Objects: 3 changed (1 different object, counted for every cluster).", "spec.replicas", "scaled-to-zero"}, "", ""},
		"Folders":    {"two folders", []string{"shop", "shop", "-o", "-"}, exitDone, []string{"From shop to shop: Nothing changes on any of 3 clusters."}, "", ""},
		"WhatIf":     {"a cluster that is not there", append(shop, "--with-cluster", "new.yaml", "-o", "-"), exitDone, []string{"From work tree to work tree, what if: 1 of 4 clusters changes. Objects: 2 added."}, "", ""},
		"Refused":    {"a change over a bound is drawn, and refused", append(shop, "HEAD~1..HEAD", "--max-clusters", "1", "-o", "-"), exitRefused, []string{"<strong>Refused.</strong> 3 of 3 clusters would change, and --max-clusters is 1."}, "Not refused", "refused: "},
		"Within":     {"a change within its bounds is called so", append(shop, "HEAD~1..HEAD", "--max-clusters", "3", "-o", "-"), exitDone, []string{"Not refused: within all bounds."}, "<strong>Refused", ""},
		"Unbounded":  {"and one without bounds", append(shop, "HEAD~1..HEAD", "-o", "-"), exitDone, []string{"Not refused: no bound is set."}, "<strong>Refused", ""},
		"Marked":     {"a graph marks what changes", append(shop, "HEAD~1..HEAD", "--graph", "mermaid"), exitDone, []string{`o0["± medium Deployment shop/web"]`, "style o0 stroke:"}, "", ""},
		"MarkedDOT":  {"in every language", append(shop, "HEAD~1..HEAD", "--graph", "dot"), exitDone, []string{`label="± medium Deployment shop/web", color="`}, "", ""},
		"NoPackage":  {"an empty folder is no fleet, as for explain", []string{"none", "-o", "-"}, exitFailed, nil, "", "there is no package in none: no Kptfile, and no ManifestWork"},
		"NoneInDir":  {"of commits, too", []string{"HEAD~1..HEAD", "--dir", "shop/app", "-o", "-"}, exitFailed, nil, "", "there is no package in shop/app: "},
		"NoneInTwo":  {"and of two folders", []string{"none", "none", "-o", "-"}, exitFailed, nil, "", "there is no package in none or none: "},
		"Without":    {"or not any more", append(shop, "--without-cluster", "a", "-o", "-"), exitDone, []string{"Objects: 2 removed"}, "", ""},
		"Labels":     {"clusters have labels", []string{"shop", "-o", "-"}, exitDone, []string{`"labels":["site=edge"]`}, "", ""},
		"NoRender":   {"what stands there", append(shop, "--no-render", "-o", "-"), exitDone, []string{"replicas: 3"}, "replicas: 0", ""},
		"Mermaid":    {"a graph", []string{"shop", "--graph", "mermaid"}, exitDone, []string{"flowchart LR\n", `o0["Deployment shop/web"]`, "3 clusters: a, b, c"}, "", ""},
		"Markdown":   {"in a document", []string{"shop", "--graph", "markdown"}, exitDone, []string{"```mermaid\nflowchart LR\n"}, "", ""},
		"DOT":        {"for Graphviz", []string{"shop", "--graph", "dot"}, exitDone, []string{"digraph fleet {\n"}, "", ""},
		"NoFile":     {"what to write", []string{"shop"}, exitUsage, nil, "", "name the file to write, such as -o report.html"},
		"NoForm":     {"what to draw", []string{"shop", "-o", "x.pdf"}, exitUsage, nil, "", "want a name that ends in .html, .mmd, .md or .dot"},
		"BadGraph":   {"no language", []string{"shop", "--graph", "svg"}, exitUsage, nil, "", "want mermaid, dot or markdown"},
		"BadLabel":   {"no label", []string{"shop", "-o", "-", "--cluster-label", "x"}, exitUsage, nil, "", "want NAME=KEY=VALUE"},
		"TwoFolders": {"which of them", []string{"shop", "--dir", "new", "-o", "-"}, exitUsage, nil, "", `"shop" is no range of commits`},
		"NoCommit":   {"a commit that is not there", append(shop, "nobody..HEAD", "-o", "-"), exitFailed, nil, "", `there is no commit "nobody"`},
		"NoFolder":   {"a folder that is not there", []string{"nowhere", "-o", "-"}, exitFailed, nil, "", "nowhere"},
		"NoFunction": {"an unknown function", []string{"broken", "-o", "-", "--runtime", "inproc"}, exitFailed, nil, "", "work tree: "},
		"NoPlace":    {"a folder to write to that is not there", []string{"shop", "-o", "no/where.html"}, exitFailed, nil, "", "no such file"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(root)
			r := runCLI(t, append([]string{"fleet", "report"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.stderr) {
				t.Errorf("%s: exit code %d, want %d: %s", tc.reason, r.code, tc.code, r.stderr)
			}
			for _, want := range tc.has {
				if !strings.Contains(r.stdout, want) {
					t.Errorf("%s: no %q in\n%.3000s", tc.reason, want, r.stdout)
				}
			}
			if tc.lacks != "" && strings.Contains(r.stdout, tc.lacks) {
				t.Errorf("%s: there is %q", tc.reason, tc.lacks)
			}
			if strings.Contains(r.stdout+r.stderr, "hunter") {
				t.Errorf("%s: a secret is shown", tc.reason)
			}
		})
	}
}

// TestFleetReportFiles writes a file of each kind: whole, readable, the same bytes every time, and nothing beside it.
func TestFleetReportFiles(t *testing.T) {
	t.Chdir(filepath.Join(previewRepo(t), "shop"))
	out := t.TempDir()
	for name, want := range map[string]string{"r.html": "<!doctype html>", "r.mmd": "flowchart LR\n", "r.md": "```mermaid\n", "r.dot": "digraph fleet {\n"} {
		file := filepath.Join(out, name)
		var first string
		for _, args := range [][]string{nil, {"--no-cache"}} {
			r := runCLI(t, append([]string{"fleet", "report", "HEAD~1..HEAD", "-o", file}, args...)...)
			if r.code != exitDone || r.stdout != "" || !strings.HasSuffix(r.stderr, ": 3 clusters, 2 different objects.\n") {
				t.Errorf("%s: exit code %d, %s%s", name, r.code, r.stdout, r.stderr)
			}
			text, err := os.ReadFile(file)
			if err != nil || !strings.HasPrefix(string(text), want) || strings.Contains(string(text), "hunter") {
				t.Errorf("%s: %v, want %q in\n%.300s", name, err, want, text)
			}
			if first != "" && first != string(text) {
				t.Errorf("%s is not the same the second time", name)
			}
			first = string(text)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, mode %v", name, err, info.Mode())
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 4 {
		t.Errorf("%v; there are %d files, want 4", err, len(entries))
	}
}

// TestFleetReportRefused writes the page of a change that a bound refuses, whole: it says so first, and the exit code is 3.
func TestFleetReportRefused(t *testing.T) {
	t.Chdir(filepath.Join(previewRepo(t), "shop"))
	file := filepath.Join(t.TempDir(), "r.html")
	r := runCLI(t, "fleet", "report", "HEAD~1..HEAD", "-o", file, "--max-objects", "0")
	text, err := os.ReadFile(file)
	refused, headline := strings.Index(string(text), "<strong>Refused.</strong>"), strings.Index(string(text), "3 of 3 clusters change")
	if r.code != exitRefused || err != nil || refused < 0 || headline < refused || !strings.HasSuffix(string(text), "</html>\n") {
		t.Errorf("exit code %d, %v, refused at %d, headline at %d: %s", r.code, err, refused, headline, r.stderr)
	}
}

// TestFleetReportOneSideFails names the side that does not render, and leaves the page of before as it is.
func TestFleetReportOneSideFails(t *testing.T) {
	root := previewRepo(t)
	t.Chdir(root)
	kptfile := filepath.Join(root, "shop", "Kptfile")
	text, err := os.ReadFile(kptfile)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, kptfile, strings.ReplaceAll(string(text), "bundle-manifestwork", "no-such-function"), 0o644)
	writeFile(t, filepath.Join(root, "r.html"), "before", 0o644)
	r := runCLI(t, "fleet", "report", "HEAD..", "--dir", "shop", "-o", "r.html", "--runtime", "inproc")
	page, err := os.ReadFile("r.html")
	if r.code != exitFailed || err != nil || string(page) != "before" || !strings.Contains(r.stderr, "work tree: ") {
		t.Errorf("exit code %d, %v, %q: %s", r.code, err, page, r.stderr)
	}
}
