package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// table prints rows as they are measured, as Markdown, or all of them at the end, as JSON.
type table struct {
	out    io.Writer
	format string
	where  string   // what the packages are on
	names  []string // of the columns that say what a row measures
	rows   []map[string]any
}

// Names of columns: what the packages are on, and the measurements. A ratio says how many times as long, or as much, kpt takes.
const (
	columnWhere = "packages"
	columnCache = "from cache"
)

var columns = []string{"kpt", "waybill", "time", columnCache, "kpt peak", "waybill peak", "peak memory"}

// head begins a table whose rows are told apart by columns of these names, unless it is the one that has begun.
func (t *table) head(names ...string) {
	begun := slices.Equal(t.names, names)
	if t.names = names; begun || t.format == formatJSON {
		return
	}
	rule := strings.Repeat("---|", len(t.names)) + strings.Repeat("---:|", len(columns))
	fmt.Fprintf(t.out, "| %s | %s |\n|%s\n", strings.Join(t.names, " | "), strings.Join(columns, " | "), rule)
}

// add adds a row: a value for each name of head, and what was measured.
func (t *table) add(m measured, values ...any) {
	if t.format == formatJSON {
		t.rows = append(t.rows, asObject(t.names, values, m))
		return
	}
	for _, value := range values {
		fmt.Fprintf(t.out, "| %v ", value)
	}
	again := ""
	if m.again.Took > 0 {
		again = fmt.Sprintf("%.1f×", m.cached())
	}
	fmt.Fprintf(t.out, "| %s | %s | %.1f× | %s | %d MB | %d MB | %.1f× |\n", text(m.kpt.Took), text(m.ours.Took), m.time(),
		again, m.kpt.Peak>>20, m.ours.Peak>>20, m.memory())
}

func asObject(names []string, values []any, m measured) map[string]any {
	row := map[string]any{"kpt": m.kpt, "waybill": m.ours, "ratio": m.time(), "peakRatio": m.memory()}
	for i, name := range names {
		row[name] = values[i]
	}
	if m.again.Took > 0 {
		row["fromCache"], row["fromCacheRatio"] = m.again, m.cached()
	}
	return row
}

// end prints what was not yet printed.
func (t *table) end() error {
	if t.format != formatJSON {
		return nil
	}
	printed := json.NewEncoder(t.out)
	printed.SetIndent("", "  ")
	return printed.Encode(t.rows)
}

// The ratios of a row.
func (m measured) time() float64   { return m.kpt.Took.Seconds() / m.ours.Took.Seconds() }
func (m measured) cached() float64 { return m.kpt.Took.Seconds() / m.again.Took.Seconds() }
func (m measured) memory() float64 { return float64(m.kpt.Peak) / float64(cmp.Or(m.ours.Peak, 1)) }

func text(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1f ms", 1000*d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
