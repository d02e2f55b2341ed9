package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
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

const header = "| step | command | runs | min | median | max | processor | peak memory | Git | pushed |\n" +
	"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"

// text is the report as Markdown.
func (r *report) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d clusters, %d objects, seed %d, %d steps: %s. Commands killed: %d.\n\n", r.Clusters, r.Objects, r.Seed, r.Steps,
		seconds(time.Duration(r.Seconds*float64(time.Second))), r.Killed)
	for _, part := range parts() {
		out.WriteString(part.heading + "\n\n" + header)
		for _, k := range part.kinds {
			for _, row := range r.Rows {
				if row.Step == k.name {
					out.WriteString(row.text())
				}
			}
		}
		out.WriteString("\n")
	}
	out.WriteString("| law | checks |\n|---|---:|\n")
	for _, law := range sortedKeys(r.Laws) {
		fmt.Fprintf(&out, "| %s | %d |\n", law, r.Laws[law])
	}
	for _, name := range sortedKeys(r.Commits) {
		fmt.Fprintf(&out, "\n%s ends at commit `%s`.", name, r.Commits[name])
	}
	out.WriteString("\n")
	return out.String()
}

// part is a table of the report.
type part struct {
	heading string
	kinds   []kind
}

// parts are changes, faults and floors.
func parts() []part {
	changes, faults := []kind{{name: "start"}}, []kind(nil)
	for _, k := range kinds {
		if strings.HasPrefix(k.name, "fault: ") {
			faults = append(faults, k)
		} else {
			changes = append(changes, k)
		}
	}
	return []part{{"Changes:", changes}, {"Faults, and the same command again:", faults}, {"Floors:", []kind{{name: floorKind}}}}
}

// text is the line of a row: the shortest, the median and the longest time, and of the other columns the median, except that
// of memory the most counts.
func (r *row) text() string {
	sorted := func(of func(cost) int64) []int64 {
		var all []int64
		for _, c := range r.Runs {
			all = append(all, of(c))
		}
		slices.Sort(all)
		return all
	}
	last, middle := len(r.Runs)-1, len(r.Runs)/2
	wall, cpu := sorted(func(c cost) int64 { return int64(c.Wall) }), sorted(func(c cost) int64 { return int64(c.CPU) })
	peak := sorted(func(c cost) int64 { return c.Peak })
	git, pushed := sorted(func(c cost) int64 { return c.Git }), sorted(func(c cost) int64 { return c.Push })
	return fmt.Sprintf("| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", r.Step, r.Command, len(r.Runs),
		seconds(time.Duration(wall[0])), seconds(time.Duration(wall[middle])), seconds(time.Duration(wall[last])),
		seconds(time.Duration(cpu[middle])), size(peak[last]), size(git[middle]), size(pushed[middle]))
}

// seconds is a time as people read it.
func seconds(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// size is a number of bytes as people read it, and nothing for none.
func size(bytes int64) string {
	switch {
	case bytes == 0:
		return ""
	case bytes < 1e6:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	case bytes < 10e6:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
}
