package html

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// row is a delivery of an object: the cluster, and which of its texts the object has there.
type row struct{ cluster, text int }

// rowsOf are the deliveries of each object, in the order of clusters, loads and items.
func rowsOf(a *index.Index) [][]row {
	out := make([][]row, len(a.Objects))
	for c := range a.Clusters {
		for _, l := range a.Clusters[c].Loads {
			for _, item := range l.Items {
				out[item.Object] = append(out[item.Object], row{c, item.Text})
			}
		}
	}
	return out
}

// form is a template of texts with as many lines, and the rows that have it.
type form struct {
	template string
	rows     []int
}

// formsOf are the forms of an object, the commonest first.
func (e *encoder) formsOf(o *index.Object, rows []row) []form {
	texts := e.shownTexts(o, rows)
	by := map[int]*form{}
	for i, text := range texts {
		lines := strings.Count(text, "\n")
		if by[lines] == nil {
			by[lines] = &form{}
		}
		by[lines].rows = append(by[lines].rows, i)
	}
	out := []form{}
	for f := range maps.Values(by) {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(x, y form) int {
		return cmp.Or(cmp.Compare(len(y.rows), len(x.rows)), cmp.Compare(x.rows[0], y.rows[0]))
	})
	for i := range out {
		own := make([]string, len(out[i].rows))
		for n, at := range out[i].rows {
			own[n] = texts[at]
		}
		out[i].template = e.template(own)
	}
	return out
}

// shownTexts are the texts of the rows. In a text that one cluster has, its name is a mark: most such texts have it because of
// a template.
func (e *encoder) shownTexts(o *index.Object, rows []row) []string {
	shown, count := make([]string, len(o.Texts)), make([]int, len(o.Texts))
	for i, text := range o.Texts {
		shown[i] = safetext.VisibleLines(text)
	}
	for _, r := range rows {
		count[r.text]++
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		if out[i] = shown[r.text]; count[r.text] == 1 && len(o.Texts) > 1 {
			out[i] = withoutName(out[i], e.names[r.cluster])
		}
	}
	return out
}

// encodedTexts are the templates of an object and, if there are several, the number of the list that says which one a row has.
type encodedTexts struct {
	templates []json.RawMessage
	rows      int
}

// encodeTexts encodes the texts of each object: the commonest template whole, and of the others the lines that differ from it;
// then the number of the list that says which template a row has. Beyond most bytes templates and values of columns are
// null: the commonest template of each object comes before all others.
func (e *encoder) encodeTexts(a *index.Index, most int) []encodedTexts {
	out, all := make([]encodedTexts, len(a.Objects)), make([][]form, len(a.Objects))
	changes := len(e.all)
	rows := rowsOf(a)
	for i := range a.Objects {
		all[i] = e.formsOf(&a.Objects[i], rows[i])
	}
	room := &room{most}
	for i, forms := range all {
		out[i] = encodedTexts{make([]json.RawMessage, len(forms)), e.formsNumber(forms, len(rows[i]))}
		if len(forms) > 0 {
			out[i].templates[0] = room.take(raw(forms[0].template))
		}
	}
	e.limit(changes, 1, room)
	for i, forms := range all {
		encodeOthers(out[i].templates, forms, room)
	}
	e.limit(changes, most, room)
	return out
}

// encodeOthers encodes all forms but the first.
func encodeOthers(out []json.RawMessage, forms []form, room *room) {
	for n := 1; n < len(forms); n++ {
		if out[n] = null; string(out[0]) != "null" {
			out[n] = room.take(raw(oneEdit(strings.Split(forms[0].template, "\n"), strings.Split(forms[n].template, "\n"))))
		}
	}
}

// formsNumber is the number of the list of forms by row.
func (e *encoder) formsNumber(forms []form, rows int) int {
	if len(forms) < 2 {
		return -1
	}
	by := make([]int, rows)
	for n, f := range forms {
		for _, at := range f.rows {
			by[at] = n
		}
	}
	return e.rowsNumber(by)
}

var null = json.RawMessage("null")

// room is how many bytes there are left.
type room struct{ bytes int }

// take returns the text if there is room for it, and else null.
func (r *room) take(text json.RawMessage) json.RawMessage {
	if len(text) > r.bytes {
		return null
	}
	r.bytes -= len(text)
	return text
}

// limit bounds the columns from a number on to at most so many values, and those to the room. The commonest are first.
func (e *encoder) limit(from, most int, room *room) {
	for i := from; i < len(e.all); i++ {
		c := &e.all[i]
		for c.bound < min(most, len(c.values)) && string(room.take(raw(c.values[c.bound]))) != "null" {
			c.bound++
		}
	}
}

// oneEdit replaces everything between the common beginning and the common end: a line of first, how many lines to remove, and
// the text to insert.
func oneEdit(first, own []string) []any {
	most := min(len(first), len(own))
	before := 0
	for before < most && first[before] == own[before] {
		before++
	}
	after := 0
	for after < most-before && first[len(first)-1-after] == own[len(own)-1-after] {
		after++
	}
	return []any{before, len(first) - before - after, joined(own[before : len(own)-after])}
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
