package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// benchLine matches a line of a Go benchmark: its name without the processors, and its values with their units.
var benchLine = regexp.MustCompile(`^Benchmark(\S+?)(-\d+)?\s+\d+\t(.*)$`)

// parseOutput reads the Markdown table or the benchmarks that a command printed.
func parseOutput(out string) (table, error) {
	lines := strings.Split(out, "\n")
	t := benchmarks(lines)
	if len(t.rows) > 0 {
		return t, nil
	}
	return parseTable(lines)
}

// benchmarks makes a table of benchmarks: a row for each, a column for each unit, in the order in which they first appear.
func benchmarks(lines []string) table {
	t := table{header: []string{"benchmark"}, align: []string{"---"}}
	var units []string
	for _, line := range lines {
		m := benchLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		row := make([]string, len(units)+1)
		row[0] = strings.ReplaceAll(strings.ReplaceAll(m[1], "/", ", "), "_", " ")
		for value, unit := range values(m[3]) {
			column := slices.Index(units, unit)
			if column < 0 {
				column = len(units)
				units, row = append(units, unit), append(row, "")
				t.header, t.align = append(t.header, title(unit)), append(t.align, "---:")
			}
			row[column+1] = format(value, unit)
		}
		t.rows = append(t.rows, row)
	}
	for i, row := range t.rows {
		t.rows[i] = append(row, make([]string, len(t.header)-len(row))...)
	}
	return t
}

// values are the pairs of a benchmark's line. Numbers of allocations are left out.
func values(text string) func(yield func(float64, string) bool) {
	return func(yield func(float64, string) bool) {
		fields := strings.Fields(text)
		for i := 0; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err == nil && fields[i+1] != "allocs/op" && !yield(value, fields[i+1]) {
				return
			}
		}
	}
}

// title is the head of the column of a unit.
func title(unit string) string {
	switch {
	case unit == "ns/op":
		return "time"
	case unit == "B/op":
		return "allocated"
	case strings.HasPrefix(unit, "×"):
		return strings.ReplaceAll(strings.TrimPrefix(unit, "×"), "_", " ")
	}
	return strings.ReplaceAll(strings.TrimSuffix(unit, "/op"), "_", " ")
}

// format writes a value with its unit, as people read it.
func format(value float64, unit string) string {
	switch {
	case unit == "ns/op":
		return scaled(value, []string{"ns", "µs", "ms", "s"})
	case unit == "B/op":
		return scaled(value, []string{"B", "kB", "MB", "GB"})
	case strings.HasPrefix(unit, "×"):
		return digits(value) + "×"
	}
	return digits(value)
}

// scaled chooses the largest unit of which there is at least one.
func scaled(value float64, units []string) string {
	i := 0
	for value >= 1000 && i < len(units)-1 {
		value, i = value/1000, i+1
	}
	return digits(value) + " " + units[i]
}

// digits writes a number with three digits, or all that are before the point.
func digits(value float64) string {
	switch {
	case value >= 100 || value == float64(int64(value)):
		return fmt.Sprintf("%.0f", value)
	case value >= 10:
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.2f", value)
}
