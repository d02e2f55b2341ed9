package merge

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// merger merges the fields of one object. It changes ours in place and puts nodes of theirs into it;
// there must be no aliases. Throughout, o, u and l are the same place in base, theirs and ours, nil
// where there is nothing.
type merger struct {
	prefer    Prefer
	keyings   map[*schema.Type]*keying // of lists that schema cannot describe
	hide      func(place) bool         // whether a value is not to be shown; nil shows all
	at        place
	quiet     int  // inside of something that conflicted as a whole
	changed   bool // ours is not what it was
	conflicts []Conflict
}

// value returns what becomes of one place: nil for nothing, l itself, changed or not, or u.
func (m *merger) value(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	switch {
	case o != nil && !isNull(o) && (isNull(u) || isNull(l)):
		return m.nulled(o, u, l)
	case isMap(u) && isMap(l):
		return m.fields(t, ifMap(o), u, l)
	case isList(u) && isList(l):
		return m.list(t, o, u, l)
	case isMap(o) && (u == nil && isMap(l) || l == nil && isMap(u)):
		return m.droppedMap(t, o, u, l)
	case isList(o) && l == nil && isList(u):
		return m.droppedList(t, o, u)
	}
	return m.whole(o, u, l)
}

// whole takes one of the three values as it is.
func (m *merger) whole(o, u, l *yaml.Node) *yaml.Node {
	switch {
	case equal(u, l):
		return m.dressed(o, u, l)
	case equal(u, o):
		return l
	case equal(l, o):
		return m.take(u)
	}
	return m.conflict(o, u, l, func() *yaml.Node { return u })
}

// take is u, which was not what l said.
func (m *merger) take(u *yaml.Node) *yaml.Node {
	m.changed = true
	return u
}

// dressed chooses between two ways to write the same data: theirs if only they changed it.
func (m *merger) dressed(o, u, l *yaml.Node) *yaml.Node {
	if o != nil && !sameText(u, o) && sameText(l, o) {
		return m.take(u)
	}
	return l
}

// nulled is for a field that a null takes out, on one side or both. It is gone even if the other side
// changed it.
func (m *merger) nulled(o, u, l *yaml.Node) *yaml.Node {
	gone := func() *yaml.Node { return nil }
	other := u
	if isNull(u) {
		other = l
	}
	if other == nil || isNull(other) || equal(other, o) {
		return nil
	}
	return m.conflict(o, u, l, gone)
}

// conflict records that one side loses, and returns what is chosen: what kpt makes of it, or l.
func (m *merger) conflict(o, u, l *yaml.Node, kpt func() *yaml.Node) *yaml.Node {
	if m.quiet > 0 {
		return m.take(kpt())
	}
	c := Conflict{Field: m.at.String(), Base: m.text(o), Theirs: m.text(u), Ours: m.text(l)}
	chosen := l
	if m.prefer == Upstream {
		m.quiet++
		chosen = m.take(kpt())
		m.quiet--
	}
	if m.prefer != Fail {
		c.Chosen, c.Winner = m.text(chosen), m.winner(chosen, u, l)
	}
	m.conflicts = append(m.conflicts, c)
	return chosen
}

// winner is whose value was chosen. Where upstream is preferred and l comes back, parts of it were taken
// out; a null is as good as nothing.
func (m *merger) winner(chosen, u, l *yaml.Node) Winner {
	switch {
	case chosen == u, chosen == nil && isNull(u):
		return UpstreamWon
	case chosen == nil, chosen == l && m.prefer == Local:
		return LocalWon
	}
	return BothWon
}

func (m *merger) text(n *yaml.Node) *string {
	if n != nil && m.hide != nil && m.hide(m.at) {
		return word(hidden)
	}
	return shortText(n)
}

// fields merges two maps into l: its fields in their order, then those that only u has.
func (m *merger) fields(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	inO, inU, inL := lookIn(o), lookIn(u), lookIn(l)
	var fresh []*yaml.Node
	for i := 0; i+1 < len(u.Content); i += 2 {
		if key, _ := inL.field(u.Content[i].Value, i); key == nil {
			fresh = append(fresh, u.Content[i], u.Content[i+1])
		}
	}
	kept := l.Content[:0]
	for i := 0; i+1 < len(l.Content); i += 2 {
		key, lv := l.Content[i], l.Content[i+1]
		ok, ov := inO.field(key.Value, i)
		uk, uv := inU.field(key.Value, i)
		r := m.field(t, key.Value, ov, uv, lv)
		if r == nil {
			m.changed = true
			continue
		}
		m.dressKey(ok, uk, key)
		kept = append(kept, key, r)
	}
	l.Content = kept
	for i := 0; i < len(fresh); i += 2 {
		_, ov := inO.field(fresh[i].Value, i)
		if r := m.field(t, fresh[i].Value, ov, fresh[i+1], nil); r != nil {
			m.changed = true
			l.Content = append(l.Content, fresh[i], r)
		}
	}
	return l
}

func (m *merger) field(t *schema.Type, name string, o, u, l *yaml.Node) *yaml.Node {
	m.at = append(m.at, name)
	defer func() { m.at = m.at[:len(m.at)-1] }()
	return m.value(t.Field(name), o, u, l)
}

// dressKey gives the key l the comments of u if only they changed them.
func (m *merger) dressKey(o, u, l *yaml.Node) {
	if o == nil || u == nil || sameComments(u, o) || !sameComments(l, o) {
		return
	}
	m.changed = true
	l.HeadComment, l.LineComment, l.FootComment = u.HeadComment, u.LineComment, u.FootComment
}
