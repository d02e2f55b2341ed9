package html

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// data is the input of the script; assets/data.js decodes it. Lists instead of objects, numbers instead of names, and templates
// instead of texts that differ by cluster keep it small. Templates have two marks; see columns.go.
type data struct {
	Policies []string  `json:"policies"`
	Labels   []string  `json:"labels"`
	Works    []string  `json:"works"`
	Files    []string  `json:"files"` // templates of paths
	Lists    [][]int   `json:"lists"` // objects that are delivered together
	Loads    []loads   `json:"loads"` // what a cluster receives
	Rows     [][]int   `json:"rows"`
	Columns  [][2]any  `json:"columns"`  // values, and the number of a list of rows or -1
	Objects  []object  `json:"objects"`  // kind, namespace, name, group, 1 for a work itself, templates, number of a list of rows or -1
	Clusters []cluster `json:"clusters"` // name, labels, number of the loads
	Changes  *changes  `json:"changes"`
}

type (
	object  [7]any
	cluster [3]any
	// loads are lists of a policy, a work, a file, a list, and the objects that the load hands over, if any.
	loads [][]any
)

// encoder numbers the values that many clusters share.
type encoder struct {
	data
	columns
	names                              []string // of the clusters, as they are shown
	labels, works, files, lists, loads map[string]int
}

func encode(a *index.Index, mostText int) *data {
	e := &encoder{labels: map[string]int{}, works: map[string]int{}, files: map[string]int{}, lists: map[string]int{}, loads: map[string]int{},
		columns: columns{known: map[string]int{}, partition: map[string]int{}}}
	e.data = data{Policies: []string{}, Labels: []string{}, Works: []string{}, Files: []string{}, Lists: [][]int{}, Loads: []loads{},
		Rows: [][]int{}, Columns: [][2]any{}, Objects: []object{}, Clusters: []cluster{}}
	for _, name := range a.Policies {
		e.Policies = append(e.Policies, safetext.Visible(name))
	}
	for i := range a.Clusters {
		e.names = append(e.names, safetext.Visible(a.Clusters[i].Name))
	}
	e.Changes = e.encodeChanges(a)
	e.encodeObjects(a, mostText)
	for i := range a.Clusters {
		e.cluster(i, &a.Clusters[i])
	}
	e.Rows = append(e.Rows, e.rows...)
	for _, c := range e.all {
		e.Columns = append(e.Columns, [2]any{c.values[:c.bound], c.rows})
	}
	return &e.data
}

func (e *encoder) encodeObjects(a *index.Index, mostText int) {
	texts := e.encodeTexts(a, mostText)
	for i, o := range a.Objects {
		itself := 0
		if o.Itself {
			itself = 1
		}
		e.Objects = append(e.Objects, object{safetext.Visible(o.Kind), safetext.Visible(o.Namespace), safetext.Visible(o.Name),
			safetext.Visible(o.Group), itself, texts[i].templates, texts[i].rows})
	}
}

// number is the index of key; for a new key, add appends it to its list.
func number(known map[string]int, key string, add func()) int {
	n, ok := known[key]
	if !ok {
		n = len(known)
		known[key] = n
		add()
	}
	return n
}

func (e *encoder) cluster(i int, c *index.Cluster) {
	labels, all := []int{}, loads{}
	for _, l := range c.Labels {
		labels = append(labels, number(e.labels, l, func() { e.Labels = append(e.Labels, safetext.Visible(l)) }))
	}
	for _, l := range c.Loads {
		all = append(all, e.load(e.names[i], &l))
	}
	n := number(e.loads, string(raw(all)), func() { e.Loads = append(e.Loads, all) })
	e.Clusters = append(e.Clusters, cluster{e.names[i], labels, n})
}

func (e *encoder) load(name string, l *index.Load) []any {
	work := number(e.works, l.Work, func() { e.Works = append(e.Works, safetext.Visible(l.Work)) })
	path := fileTemplate(safetext.Visible(l.File), name)
	file := number(e.files, path, func() { e.Files = append(e.Files, path) })
	var key []byte
	ids := make([]int, 0, len(l.Items))
	for _, item := range l.Items {
		ids = append(ids, item.Object)
		key = binary.AppendUvarint(key, uint64(item.Object)) // #nosec G115 -- a place in a list
	}
	list := number(e.lists, string(key), func() { e.Lists = append(e.Lists, ids) })
	out := []any{l.Policy, work, file, list}
	if len(l.HandsOver) > 0 {
		out = append(out, l.HandsOver)
	}
	return out
}

// fileTemplate has the mark in place of parts of the path that are the name of the cluster.
func fileTemplate(path, name string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if part == name {
			parts[i] = nameMark
		}
	}
	return strings.Join(parts, "/")
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // texts and numbers can always be written
	}
	return text
}
