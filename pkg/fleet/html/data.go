package html

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// data is the input of the script; assets/data.js decodes it. Lists instead of objects, and numbers instead of names, keep
// it small.
type data struct {
	Policies []string  `json:"policies"`
	Labels   []string  `json:"labels"`
	Works    []string  `json:"works"`
	Files    [][]any   `json:"files"`    // parts of the path; 0 is the name of the cluster
	Lists    [][]int   `json:"lists"`    // objects that are delivered together
	Objects  []object  `json:"objects"`  // kind, namespace, name, group, 1 for a work itself, texts
	Clusters []cluster `json:"clusters"` // name, labels, loads
	Changes  *changes  `json:"changes"`
}

type (
	object  [6]any
	cluster [3]any
	// load is a policy, a work, a file, a list, for objects of it that do not have text 0 place and text, and the objects that
	// it hands over, if any.
	load []any
)

// encoder numbers the values that many clusters share.
type encoder struct {
	data
	labels, works, files, lists map[string]int
}

func encode(a *index.Index, mostText int) *data {
	e := &encoder{labels: map[string]int{}, works: map[string]int{}, files: map[string]int{}, lists: map[string]int{}}
	e.data = data{Policies: []string{}, Labels: []string{}, Works: []string{}, Files: [][]any{}, Lists: [][]int{}, Objects: []object{},
		Clusters: []cluster{}}
	for _, name := range a.Policies {
		e.Policies = append(e.Policies, safetext.Visible(name))
	}
	texts := encodeTexts(a.Objects, mostText)
	for i, o := range a.Objects {
		itself := 0
		if o.Itself {
			itself = 1
		}
		e.Objects = append(e.Objects, object{safetext.Visible(o.Kind), safetext.Visible(o.Namespace), safetext.Visible(o.Name),
			safetext.Visible(o.Group), itself, texts[i]})
	}
	for i := range a.Clusters {
		e.cluster(&a.Clusters[i])
	}
	e.Changes = encodeChanges(a)
	return &e.data
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

func (e *encoder) cluster(c *index.Cluster) {
	labels, loads := []int{}, []load{}
	for _, l := range c.Labels {
		labels = append(labels, number(e.labels, l, func() { e.Labels = append(e.Labels, safetext.Visible(l)) }))
	}
	for _, l := range c.Loads {
		loads = append(loads, e.load(c, &l))
	}
	e.Clusters = append(e.Clusters, cluster{safetext.Visible(c.Name), labels, loads})
}

func (e *encoder) load(c *index.Cluster, l *index.Load) load {
	work := number(e.works, l.Work, func() { e.Works = append(e.Works, safetext.Visible(l.Work)) })
	parts, pattern := filePattern(l.File, c.Name)
	file := number(e.files, pattern, func() { e.Files = append(e.Files, parts) })
	var key []byte
	ids, odd := make([]int, 0, len(l.Items)), []int{}
	for place, item := range l.Items {
		ids = append(ids, item.Object)
		key = binary.AppendUvarint(key, uint64(item.Object)) // #nosec G115 -- a place in a list
		if item.Text != 0 {
			odd = append(odd, place, item.Text)
		}
	}
	list := number(e.lists, string(key), func() { e.Lists = append(e.Lists, ids) })
	out := load{l.Policy, work, file, list, odd}
	if len(l.HandsOver) > 0 {
		out = append(out, l.HandsOver)
	}
	return out
}

// filePattern is a path with 0 in place of the cluster's name, so that most clusters share it.
func filePattern(file, cluster string) (parts []any, key string) {
	var b strings.Builder
	for part := range strings.SplitSeq(file, "/") {
		if part == cluster {
			parts = append(parts, 0)
			b.WriteString("\x00/")
			continue
		}
		parts = append(parts, safetext.Visible(part))
		b.WriteString(part + "/")
	}
	return parts, b.String()
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // texts and numbers can always be written
	}
	return text
}
