package main

import (
	"fmt"
	"os"
	"strings"
)

// What stands between these lines of a page is written by -page.
const (
	pageBegin = "<!-- report -->\n"
	pageEnd   = "<!-- /report -->\n"
)

// writePage replaces the report in a page.
func (r *report) writePage(name string) error {
	before, after, err := splitPage(name)
	if err != nil {
		return err
	}
	page := before + pageBegin + "\n    " + r.command + "\n\n" + r.text() + "\n" + pageEnd + after
	return os.WriteFile(name, []byte(page), 0o644) // #nosec G306 -- a document
}

// splitPage reads what a page has before and after the report.
func splitPage(name string) (before, after string, err error) {
	text, err := os.ReadFile(name) // #nosec G304 -- the caller names it
	if err != nil {
		return "", "", err
	}
	before, rest, begins := strings.Cut(string(text), pageBegin)
	_, after, ends := strings.Cut(rest, pageEnd)
	if !begins || !ends {
		return "", "", fmt.Errorf("%s has no lines %q and %q: put them where the report is to stand",
			name, strings.TrimSpace(pageBegin), strings.TrimSpace(pageEnd))
	}
	return before, after, nil
}
