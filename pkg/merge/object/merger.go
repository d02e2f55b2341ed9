package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// Merger merges the fields of one object. It changes ours in place and inserts nodes of theirs; there must be
// no aliases. Everywhere o, u and l are the same place in base, theirs (upstream) and ours (local), nil where
// there is nothing.
type Merger struct {
	Prefer     Prefer
	keyings    map[*schema.Type]*Keying // for lists that a schema cannot describe
	Hide       func(Path) bool          // whether a value is not to be shown; nil shows all
	At         Path
	inConflict int  // depth inside of values that conflict as a whole
	Changed    bool // ours was changed
	Conflicts  []Conflict
}

// Value merges one place: the result is nil for nothing, l itself, changed or not, or u.
func (m *Merger) Value(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	switch {
	case o != nil && !krm.IsNull(o) && (krm.IsNull(u) || krm.IsNull(l)):
		return m.mergeNull(o, u, l)
	case krm.IsMap(u) && krm.IsMap(l):
		return m.Fields(t, ifMap(o), u, l)
	case krm.IsList(u) && krm.IsList(l):
		return m.list(t, o, u, l)
	case krm.IsMap(o) && (u == nil && krm.IsMap(l) || l == nil && krm.IsMap(u)):
		return m.mergeDeletedMap(t, o, u, l)
	case krm.IsList(o) && l == nil && krm.IsList(u):
		return m.mergeDeletedList(t, o, u)
	}
	return m.mergeWhole(o, u, l)
}

// mergeWhole chooses one of the three values.
func (m *Merger) mergeWhole(o, u, l *yaml.Node) *yaml.Node {
	switch {
	case Equal(u, l):
		return m.chooseFormatting(o, u, l)
	case Equal(u, o):
		return l
	case Equal(l, o):
		return m.takeTheirs(u)
	}
	return m.Conflict(o, u, l, func() *yaml.Node { return u })
}

// takeTheirs is u, which differs from l.
func (m *Merger) takeTheirs(u *yaml.Node) *yaml.Node {
	m.Changed = true
	return u
}

// chooseFormatting chooses between two ways to write the same data: theirs if only they changed it.
func (m *Merger) chooseFormatting(o, u, l *yaml.Node) *yaml.Node {
	if o != nil && !sameText(u, o) && sameText(l, o) {
		return m.takeTheirs(u)
	}
	return l
}

// mergeNull merges a field that a null deletes, on one side or both. It is deleted even if the other side
// changed it.
func (m *Merger) mergeNull(o, u, l *yaml.Node) *yaml.Node {
	gone := func() *yaml.Node { return nil }
	other := u
	if krm.IsNull(u) {
		other = l
	}
	if other == nil || krm.IsNull(other) || Equal(other, o) {
		return nil
	}
	return m.Conflict(o, u, l, gone)
}

// Conflict records a conflict and returns the chosen value: that of kpt, or l.
func (m *Merger) Conflict(o, u, l *yaml.Node, kpt func() *yaml.Node) *yaml.Node {
	if m.inConflict > 0 {
		return m.takeTheirs(kpt())
	}
	c := Conflict{Field: m.At.String(), Base: m.Text(o), Theirs: m.Text(u), Ours: m.Text(l)}
	chosen := l
	if m.Prefer == Upstream {
		m.inConflict++
		chosen = m.takeTheirs(kpt())
		m.inConflict--
	}
	if m.Prefer != Fail {
		c.Chosen, c.Winner = m.Text(chosen), m.winner(chosen, u, l)
	}
	m.Conflicts = append(m.Conflicts, c)
	return chosen
}

// winner is the side whose value was chosen. If upstream is preferred and l is chosen, parts of l were removed;
// null counts as nothing.
func (m *Merger) winner(chosen, u, l *yaml.Node) Winner {
	switch {
	case chosen == u, chosen == nil && krm.IsNull(u):
		return UpstreamWon
	case chosen == nil, chosen == l && m.Prefer == Local:
		return LocalWon
	}
	return BothWon
}

// Text is the text of a value in a conflict; hidden where Hide says so.
func (m *Merger) Text(n *yaml.Node) *string {
	if n != nil && m.Hide != nil && m.Hide(m.At) {
		return ValueOf(Hidden)
	}
	return shortText(n)
}

// Fields merges two maps into l: its fields in their order, then those that only u has. It returns nil if no field is left of
// two maps that had some: such a map would say something that no side said.
func (m *Merger) Fields(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	wasEmpty := len(u.Content) == 0 || len(l.Content) == 0
	inO, inU, inL := IndexFields(o), IndexFields(u), IndexFields(l)
	var fresh []*yaml.Node
	for i := 0; i+1 < len(u.Content); i += 2 {
		if key, _ := inL.Field(u.Content[i].Value, i); key == nil {
			fresh = append(fresh, u.Content[i], u.Content[i+1])
		}
	}
	kept := l.Content[:0]
	for i := 0; i+1 < len(l.Content); i += 2 {
		key, lv := l.Content[i], l.Content[i+1]
		ok, ov := inO.Field(key.Value, i)
		uk, uv := inU.Field(key.Value, i)
		r := m.field(t, key.Value, ov, uv, lv)
		if r == nil {
			m.Changed = true
			continue
		}
		m.chooseComments(ok, uk, key)
		kept = append(kept, key, r)
	}
	l.Content = kept
	for i := 0; i < len(fresh); i += 2 {
		_, ov := inO.Field(fresh[i].Value, i)
		if r := m.field(t, fresh[i].Value, ov, fresh[i+1], nil); r != nil {
			m.Changed = true
			l.Content = append(l.Content, fresh[i], r)
		}
	}
	if len(l.Content) == 0 && !wasEmpty {
		return nil
	}
	return l
}

func (m *Merger) field(t *schema.Type, name string, o, u, l *yaml.Node) *yaml.Node {
	m.At = append(m.At, name)
	defer func() { m.At = m.At[:len(m.At)-1] }()
	return m.Value(t.Field(name), o, u, l)
}

// chooseComments gives the key l the comments of u if only they changed them.
func (m *Merger) chooseComments(o, u, l *yaml.Node) {
	if o == nil || u == nil || sameComments(u, o) || !sameComments(l, o) {
		return
	}
	m.Changed = true
	l.HeadComment, l.LineComment, l.FootComment = u.HeadComment, u.LineComment, u.FootComment
}
