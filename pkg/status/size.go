package status

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// size is the length of a result as JSON. It is counted without writing the rows, which may be many.
func size(r *control.NamedStatusCombination) (n int) {
	rest := *r
	rest.Rows = nil
	n = len(written(r.Name, rest))
	if len(r.Rows) > 0 {
		n += len(`,"rows":[]`) + len(r.Rows) - 1
	}
	for _, row := range r.Rows {
		n += len(`{"columns":}`) + columnsSize(row.Columns)
	}
	return n
}

func columnsSize(columns []control.Value) (n int) {
	if columns == nil {
		return len("null")
	}
	n = len("[]") + max(len(columns)-1, 0)
	for i := range columns {
		n += valueSize(&columns[i])
	}
	return n
}

func valueSize(v *control.Value) (n int) {
	n = len(`{"type":}`) + textSize(string(v.Type))
	if v.String != nil {
		n += len(`,"string":`) + textSize(*v.String)
	}
	if v.Number != nil {
		n += len(`,"float":`) + textSize(*v.Number)
	}
	if v.Bool != nil {
		n += len(`,"bool":`) + len(fmt.Sprint(*v.Bool))
	}
	if !v.Object.IsZero() {
		n += len(`,"object":`) + rawSize(v.Object)
	}
	if !v.Array.IsZero() {
		n += len(`,"array":`) + rawSize(v.Array)
	}
	return n
}

// rawSize is the length of JSON text in JSON, where some characters become longer, and space is left out.
func rawSize(v control.JSON) int {
	if bytes.ContainsAny(v.Raw, "<>& \t\r\n\u2028\u2029") {
		return len(written("", v))
	}
	return len(v.Raw)
}

// textSize is the length of a text in JSON.
func textSize(s string) int {
	n := len(s) + len(`""`)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return len(written("", s))
		case c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t':
			n++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			n += len(`\u0000`) - 1
		}
	}
	return n
}

// written is a part of the result of a collector as JSON.
func written(collector string, part any) []byte {
	text, err := json.Marshal(part)
	if err != nil { // a value that has no JSON form does not come into a result
		panic(fmt.Sprintf("write the result of StatusCollector %q: %v", collector, err))
	}
	return text
}
