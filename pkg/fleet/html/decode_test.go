package html

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// leftOut stands for a text that the page does not have.
const leftOut = "(left out)"

// decoded is the data of a page, read as the script does.
type decoded struct {
	Policies                   []string
	Files                      []string
	Lists                      [][]int
	Loads                      [][][]json.RawMessage
	Rows                       [][]int
	Columns, Objects, Clusters [][]json.RawMessage
	Changes                    *changes
	names, clusters            []string
	texts                      [][]string // of each object, in the order of its deliveries
	files                      []string   // of all loads, in order
}

func decode(t testing.TB, text []byte) *decoded {
	t.Helper()
	d := &decoded{}
	mustRead(t, text, d)
	d.texts = make([][]string, len(d.Objects))
	for _, o := range d.Objects {
		var name string
		mustRead(t, o[2], &name)
		d.names = append(d.names, name)
	}
	next := map[[2]int]int{}
	for _, c := range d.Clusters {
		var name string
		var loads int
		mustRead(t, c[0], &name)
		mustRead(t, c[2], &loads)
		d.clusters = append(d.clusters, name)
		for _, l := range d.Loads[loads] {
			var file, list int
			mustRead(t, l[2], &file)
			mustRead(t, l[3], &list)
			d.files = append(d.files, d.fill(t, d.Files[file], 0, name))
			for _, o := range d.Lists[list] {
				form := d.form(t, o, len(d.texts[o]))
				key := [2]int{o, form}
				d.texts[o] = append(d.texts[o], d.textFrom(t, o, form, next[key], name))
				next[key]++
			}
		}
	}
	return d
}

// form is which template a delivery has.
func (d *decoded) form(t testing.TB, object, row int) int {
	var templates []json.RawMessage
	var rows int
	mustRead(t, d.Objects[object][5], &templates)
	mustRead(t, d.Objects[object][6], &rows)
	if len(templates) < 2 {
		return 0
	}
	return d.at(rows, row)
}

// at is a number in a list of rows; -1 is the list of all numbers.
func (d *decoded) at(rows, row int) int {
	if rows < 0 {
		return row
	}
	return d.Rows[rows][row]
}

func (d *decoded) fill(t testing.TB, template string, row int, name string) string {
	whole := true
	var b strings.Builder
	for i, part := range strings.Split(template, columnMark) {
		if i%2 == 0 {
			b.WriteString(strings.ReplaceAll(part, nameMark, name))
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		rows := 0
		mustRead(t, d.Columns[n][0], &values)
		mustRead(t, d.Columns[n][1], &rows)
		if at := d.at(rows, row); at < len(values) {
			b.WriteString(strings.ReplaceAll(values[at], nameMark, name))
		} else {
			whole = false
		}
	}
	if !whole {
		return leftOut
	}
	return b.String()
}

func (d *decoded) textFrom(t testing.TB, object, form, row int, name string) string {
	var templates []json.RawMessage
	mustRead(t, d.Objects[object][5], &templates)
	if string(templates[form]) == "null" {
		return leftOut
	}
	var first string
	mustRead(t, templates[0], &first)
	if form == 0 {
		return d.fill(t, first, row, name)
	}
	var edit []json.RawMessage
	var at, drop int
	var text string
	mustRead(t, templates[form], &edit)
	mustRead(t, edit[0], &at)
	mustRead(t, edit[1], &drop)
	mustRead(t, edit[2], &text)
	own := strings.Split(text, "\n")
	return d.fill(t, strings.Join(slices.Replace(strings.Split(first, "\n"), at, at+drop, own[:len(own)-1]...), "\n"), row, name)
}

func mustRead(t testing.TB, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// checkData holds every name, text and change of the data to the index.
func checkData(t testing.TB, a *index.Index, text []byte) {
	t.Helper()
	d := decode(t, text)
	want := &decoded{texts: make([][]string, len(a.Objects))}
	for i := range a.Objects {
		want.names = append(want.names, safetext.Visible(a.Objects[i].Name))
	}
	for _, c := range a.Clusters {
		want.clusters = append(want.clusters, safetext.Visible(c.Name))
		for _, l := range c.Loads {
			want.files = append(want.files, safetext.Visible(l.File))
			for _, item := range l.Items {
				want.texts[item.Object] = append(want.texts[item.Object], safetext.VisibleLines(a.Objects[item.Object].Texts[item.Text]))
			}
		}
	}
	if !slices.Equal(want.names, d.names) || !slices.Equal(want.clusters, d.clusters) || !slices.Equal(want.files, d.files) {
		t.Errorf("names %q, %q, %q, want %q, %q, %q", d.names, d.clusters, d.files, want.names, want.clusters, want.files)
	}
	for i := range want.texts {
		if !slices.Equal(want.texts[i], d.texts[i]) {
			t.Errorf("object %d says %q, want %q", i, d.texts[i], want.texts[i])
		}
	}
	checkChanges(t, a, d)
}

// checkChanges holds the changes of every cluster to those of the preview.
func checkChanges(t testing.TB, a *index.Index, d *decoded) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	if a.Preview == nil {
		return
	}
	line := func(group int, cluster, says string, fields [][4]*string, risks []string, shown func(*string) *string) string {
		values := [][]*string{}
		for _, f := range fields {
			values = append(values, []*string{shown(f[0]), f[1], shown(f[2]), shown(f[3])})
		}
		return string(raw([]any{group, cluster, shown(&says), values, append([]string{}, risks...)}))
	}
	for n, g := range a.Preview.Groups {
		for _, s := range g.Shapes {
			fields := [][4]*string{}
			for _, f := range s.Fields {
				fields = append(fields, [4]*string{&f.Field, &f.Change, f.From, f.To})
			}
			for _, c := range s.Clusters {
				want[line(n, safetext.Visible(c), s.Says, fields, s.Risks, shownValue)]++
			}
		}
	}
	for n, g := range d.Changes.Groups {
		for _, w := range g.Ways {
			row := 0
			for i := 0; i < len(w.Clusters); i += 2 {
				for c := range w.Clusters[i+1] {
					name := d.clusters[w.Clusters[i]+c]
					got[line(n, name, w.Says, w.Fields, w.Risks, func(v *string) *string {
						return shownIfAny(v, func(text string) string { return d.fill(t, text, row, name) })
					})]++
					row++
				}
			}
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d changes, want %d", len(got), len(want))
	}
	for text, n := range want {
		if got[text] != n {
			t.Errorf("%d times, want %d: %s", got[text], n, text)
		}
	}
}

func shownValue(v *string) *string { return shownIfAny(v, safetext.Visible) }

// fleetOf has an object with these texts, one on each cluster.
func fleetOf(names, texts []string) *index.Index {
	o := index.Object{Identity: index.Identity{ID: krm.ID{Kind: "ConfigMap", Name: "c"}}, Texts: slices.Clone(texts)}
	slices.Sort(o.Texts)
	o.Texts = slices.Compact(o.Texts)
	a := &index.Index{Policies: []string{""}, Objects: []index.Object{o}}
	for i, name := range names {
		a.Clusters = append(a.Clusters, index.Cluster{Name: name, Loads: []index.Load{
			{File: "clusters/" + name + "/c.yaml", Items: []index.Item{{Text: slices.Index(o.Texts, texts[i])}}}}})
	}
	return a
}

// FuzzTexts holds the texts of three clusters, and their names, to coming back as they were.
func FuzzTexts(f *testing.F) {
	f.Add("a", "b", "a\nb\nc\n", "a\nx\nc\n")
	f.Add("edge", "edge-1", "at: edge\nb\n", "at: edge-1\n")
	f.Add("edge", "lab", "at: edge.x\n", "at: lab.x\n")
	f.Add("x", "", "", "\n\n")
	f.Add("\f", "\b0\b", "\fa\na\b0\b", "\f\b1\ba\na")
	f.Add("ö", "ü", "äö:é\n", "äü:è\n")
	f.Add("$&", "$1", "v: $& \n", "v: $1 \n")
	f.Add("k", "n", "k: |\n\n  x\n", "k: |\n  x\n\n")
	f.Fuzz(func(t *testing.T, one, two, first, second string) {
		names, texts := []string{one, two, one + two}, []string{first, second, second + first}
		a := fleetOf(names, texts)
		checkData(t, a, raw(encode(a, 1<<30)))
		a = fleetOf(names, []string{first, first, second})
		checkData(t, a, raw(encode(a, 1<<30)))
	})
}
