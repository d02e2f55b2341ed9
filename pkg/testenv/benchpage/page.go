package main

import (
	"fmt"
	"strings"
)

// Comments around a table that is measured. The command is the indented code block above it.
const (
	measuredMark = "<!-- measured -->"
	checkedMark  = "<!-- measured; CI checks the ratios -->"
	endMark      = "<!-- end -->"
)

// section is a measured table of a page.
type section struct {
	line    int    // of the mark, counted from 1
	command string // lines of the code block
	checked bool
	body    []string // between the marks, without empty lines at both ends
}

// parse splits a page into the lines around sections, and the sections. In lines, each section is its two marks.
func (p *page) parse(text string) error {
	var command []string
	var open *section
	for i, line := range strings.Split(text, "\n") {
		isMark := line == measuredMark || line == checkedMark
		switch {
		case open != nil && isMark:
			return fmt.Errorf("line %d: a measured table begins inside of another", i+1)
		case open != nil && line == endMark:
			open.body = trimEmpty(open.body)
			p.sections, open = append(p.sections, *open), nil
			p.lines = append(p.lines, line)
		case open != nil:
			open.body = append(open.body, line)
		case isMark && len(command) == 0:
			return fmt.Errorf("line %d: no command above the measured table", i+1)
		case isMark:
			open = &section{line: i + 1, command: strings.Join(command, "\n"), checked: line == checkedMark}
			p.lines, command = append(p.lines, line), nil
		default:
			command = collect(command, line, p.lines)
			p.lines = append(p.lines, line)
		}
	}
	if open != nil {
		return fmt.Errorf("line %d: no %q after the measured table", open.line, endMark)
	}
	return nil
}

// collect adds a line of an indented code block to the command; the first line of a new block begins another command.
func collect(command []string, line string, before []string) []string {
	code, ok := strings.CutPrefix(line, "    ")
	if !ok {
		return command
	}
	if n := len(before); n > 0 && !strings.HasPrefix(before[n-1], "    ") {
		command = nil
	}
	return append(command, code)
}

func trimEmpty(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// text is the page with the tables of its sections.
func (p *page) text() string {
	var out strings.Builder
	next := 0
	for i, line := range p.lines {
		out.WriteString(line)
		if line == measuredMark || line == checkedMark {
			if body := p.sections[next].body; len(body) > 0 {
				out.WriteString("\n\n" + strings.Join(body, "\n") + "\n")
			}
			next++
		}
		if i < len(p.lines)-1 {
			out.WriteString("\n")
		}
	}
	return out.String()
}
