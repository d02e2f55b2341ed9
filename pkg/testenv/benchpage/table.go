package main

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// table is a Markdown table.
type table struct {
	header []string
	align  []string
	rows   [][]string
}

// parseTable reads the first Markdown table among lines.
func parseTable(lines []string) (t table, err error) {
	for _, line := range lines {
		cells, ok := cellsOf(line)
		switch {
		case !ok && t.header != nil:
			return t, t.valid()
		case !ok:
		case t.header == nil:
			t.header = cells
		case t.align == nil:
			t.align = cells
		default:
			t.rows = append(t.rows, cells)
		}
	}
	return t, t.valid()
}

func (t table) valid() error {
	if len(t.rows) == 0 {
		return errors.New("there is no table with rows")
	}
	for _, row := range t.rows {
		if len(row) != len(t.header) {
			return fmt.Errorf("row %q has %d cells, and the header %d", strings.Join(row, " | "), len(row), len(t.header))
		}
	}
	return nil
}

func cellsOf(line string) ([]string, bool) {
	line, begins := strings.CutPrefix(strings.TrimSpace(line), "|")
	line, ends := strings.CutSuffix(line, "|")
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells, begins && ends
}

func (t table) lines() []string {
	lines := make([]string, 0, len(t.rows)+2)
	for _, row := range slices.Concat([][]string{t.header}, [][]string{t.align}, t.rows) {
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
	}
	return lines
}

// measurement matches cells with a unit: what a run gives.
var measurement = regexp.MustCompile(`^[0-9.,]+ ?(×|s|ms|µs|ns|B|kB|MB|GB|%)$`)

// nameOf joins the cells of a row that name it: those before the first measurement.
func nameOf(row []string) string {
	i := slices.IndexFunc(row, measurement.MatchString)
	if i < 0 {
		i = len(row)
	}
	return strings.Join(row[:i], ", ")
}

// ratio reads a cell such as 12.3×.
func ratio(cell string) (float64, bool) {
	number, ok := strings.CutSuffix(cell, "×")
	value, err := strconv.ParseFloat(number, 64)
	return value, ok && err == nil && !math.IsNaN(value) && !math.IsInf(value, 0)
}

// hasRatio reports whether any cell is a ratio.
func (t table) hasRatio() bool {
	return slices.ContainsFunc(t.rows, func(row []string) bool {
		return slices.ContainsFunc(row, func(cell string) bool { _, ok := ratio(cell); return ok })
	})
}

// cell is the cell of a row in the column of that name; columns may have other places than in another table, and two may have one name.
func (t table) cell(row []string, header []string, i int) string {
	nth := 0
	for _, name := range header[:i] {
		if name == header[i] {
			nth++
		}
	}
	for j, name := range t.header {
		if name != header[i] {
			continue
		}
		if nth == 0 {
			return row[j]
		}
		nth--
	}
	return ""
}

// row finds a row by its name.
func (t table) row(name string) []string {
	i := slices.IndexFunc(t.rows, func(row []string) bool { return nameOf(row) == name })
	if i < 0 {
		return nil
	}
	return t.rows[i]
}

// best takes from each of both tables the better ratios.
func (t table) best(other table) table {
	if t.header == nil {
		return other
	}
	for _, row := range t.rows {
		second := other.row(nameOf(row))
		for i := range second {
			a, known := ratio(row[i])
			if b, ok := ratio(second[i]); ok && (!known || b > a) {
				row[i] = second[i]
			}
		}
	}
	return t
}

// holds returns an error for each ratio of want that fell by more than a third in t.
func (t table) holds(want table) (fallen error) {
	for _, row := range want.rows {
		got := t.row(nameOf(row))
		for i, cell := range row {
			expected, isRatio := ratio(cell)
			if !isRatio {
				continue
			}
			if got == nil {
				return fmt.Errorf("%s: the command prints no such row any more", nameOf(row))
			}
			present := t.cell(got, want.header, i)
			if now, ok := ratio(present); !ok {
				fallen = errors.Join(fallen, fmt.Errorf("%s: column %q: the command prints no ratio there, but %q",
					nameOf(row), want.header[i], present))
			} else if now < expected*2/3 {
				fallen = errors.Join(fallen, fmt.Errorf("%s: column %q fell from %s to %s", nameOf(row), want.header[i], cell, present))
			}
		}
	}
	return fallen
}
