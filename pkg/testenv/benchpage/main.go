// Command benchpage writes the tables of docs/speed.md by running the commands that the page names, and checks that the ratios in
// them still hold.
//
// Shape: a page in; the same page out, or with -check a message for each ratio that fell. A table that is measured stands between
// two comments, below the command that makes it; see page.go. A command prints a Markdown table, or what go test -bench prints.
// Cells such as 12.3× are ratios: how many times as long, or as much, a peer or a floor takes. More is better.
// Cost: that of the commands, one after another. A check repeats a command whose ratios fell, and takes the best of each.
// Errors: exit status 1 and what went wrong; the page is written when all commands are done, without the tables of those that failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() {
	b := page{progress: os.Stderr, run: shell}
	name := flag.String("page", "docs/speed.md", "the page")
	only := flag.String("only", "", "only sections whose command this regular expression matches")
	check := flag.Bool("check", false, "compare the ratios of the sections that CI checks with the page, and write nothing")
	flag.IntVar(&b.tries, "tries", 3, "runs of a command at most until its ratios hold")
	flag.Parse()
	if err := b.handle(*name, *only, *check); err != nil {
		fmt.Fprintln(os.Stderr, "benchpage:", err)
		os.Exit(1)
	}
}

// page is a page with measured tables.
type page struct {
	lines    []string
	sections []section
	tries    int
	progress io.Writer
	run      func(command string) (string, error)
}

func (p *page) handle(name, only string, check bool) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name) // #nosec G304 -- the page that the user names
	if err != nil {
		return err
	}
	if err := p.parse(string(data)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if check {
		return p.check(chosen)
	}
	failed := p.measure(chosen)
	return errors.Join(failed, os.WriteFile(name, []byte(p.text()), 0o644)) // #nosec G306 -- a page for all to read
}

// measure runs the commands of the chosen sections and takes their tables over. A table whose command fails stays as it was.
func (p *page) measure(chosen *regexp.Regexp) (failed error) {
	none := true
	for i := range p.sections {
		s := &p.sections[i]
		if !chosen.MatchString(s.command) {
			continue
		}
		none = false
		t, err := p.tableOf(s)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		s.body = append(t.lines(), "", conditions(time.Now()))
	}
	if none {
		return errNoSection
	}
	return failed
}

// tableOf runs the command of a section.
func (p *page) tableOf(s *section) (table, error) {
	fmt.Fprintln(p.progress, s.command)
	out, err := p.run(s.command)
	if err != nil {
		return table{}, fmt.Errorf("line %d: %w", s.line, err)
	}
	t, err := parseOutput(out)
	if err != nil {
		return t, fmt.Errorf("line %d: the command prints no table: %w", s.line, err)
	}
	return t, nil
}

// conditions are what one must know to repeat a measurement.
func conditions(now time.Time) string {
	return fmt.Sprintf("Measured on %s: %s/%s, %d processors, %s.",
		now.Format(time.DateOnly), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

var errNoSection = errors.New("no measured table has a command that -only matches")

// check runs the commands of the sections that CI checks, until all ratios hold or the tries are used up.
func (p *page) check(chosen *regexp.Regexp) (failed error) {
	none := true
	for i := range p.sections {
		if s := &p.sections[i]; s.checked && chosen.MatchString(s.command) {
			none = false
			failed = errors.Join(failed, p.checkSection(s))
		}
	}
	if none {
		return errNoSection
	}
	return failed
}

func (p *page) checkSection(s *section) error {
	want, err := parseTable(s.body)
	if err == nil && !want.hasRatio() {
		err = errors.New("the table has no ratio, so that there is nothing to check")
	}
	if err != nil {
		return fmt.Errorf("line %d: %w: measure it with make speed", s.line, err)
	}
	best := table{}
	for range max(1, p.tries) {
		got, err := p.tableOf(s)
		if err != nil {
			return err
		}
		best = best.best(got)
		if err = best.holds(want); err == nil {
			return nil
		}
		fmt.Fprintln(p.progress, err)
	}
	return fmt.Errorf("line %d: %s: %w", s.line, s.command, best.holds(want))
}

// shell runs a command as a reader of the page would, and returns what it prints to stdout.
func shell(command string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-ec", command) // #nosec G204 -- the commands of the page
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", command, err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}
