package plain

// Bounds of Resources, within those of krm.Limits.
const (
	maxText      = 1 << 20
	maxDocuments = 1000
	maxValues    = 50_000
)

// IsMapping reports whether text is one plain mapping, with at most that depth.
func IsMapping(text []byte, depth int) bool {
	s := New(text)
	for s.Next() {
		if s.Kind == Separator || s.Depth() > depth {
			return false
		}
	}
	return s.Plain() && s.Depth() > 0
}

// Resources reports whether text is plain and krm.Read would accept it: each document is an object with apiVersion, kind and
// metadata.name. It returns about how many values they hold, and never fewer.
func Resources(text []byte) (values int, ok bool) {
	if len(text) > maxText {
		return 0, false
	}
	s, found, documents := New(text), fields{}, 0
	for s.Next() {
		switch {
		case s.Kind == Blank || s.Kind == Comment:
			continue
		case s.Kind != Separator:
			values += s.Opens + 2
			found.note(s)
		case documents > 0 && !found.complete():
			return 0, false
		default:
			found = fields{}
		}
		if s.Kind == Separator || documents == 0 {
			documents++
			values++
		}
	}
	return values, s.Plain() && found.complete() && values <= maxValues && documents <= maxDocuments
}

// fields are those that a resource must have.
type fields struct{ apiVersion, kind, name bool }

func (f fields) complete() bool { return f.apiVersion && f.kind && f.name }

func (f *fields) note(s *Scanner) {
	if s.Depth() > 2 || s.Kind != Word || !IsName(s.Value) {
		return
	}
	f.apiVersion = f.apiVersion || s.At("apiVersion")
	f.kind = f.kind || s.At("kind")
	f.name = f.name || s.At("metadata", "name")
}
