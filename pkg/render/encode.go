package render

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// encode gives a file that holds objs its bytes. The very objects that were read from it keep the text
// they were read from.
func (f origins) encode(tree pkgtree.Tree, file string, objs []*krm.Object) ([]byte, error) {
	if path.Ext(file) == ".json" {
		return encodeJSON(objs)
	}
	source := f.sourceOf(tree, file, objs)
	if source == nil {
		return krm.Write(objs)
	}
	var out []byte
	for i, o := range objs {
		text := source.textOf(o, i == 0, i == len(objs)-1)
		if text == nil {
			var err error
			if text, err = krm.Write(objs[i : i+1]); err != nil {
				return nil, err
			}
		}
		if i > 0 && !beginsDocument(text) {
			out = append(out, "---\n"...)
		}
		out = append(out, text...)
	}
	return out, nil
}

// encodeJSON writes JSON, if that can hold as many objects as there are.
func encodeJSON(objs []*krm.Object) ([]byte, error) {
	if len(objs) != 1 {
		return krm.Write(objs)
	}
	v, err := krm.Value(objs[0].WithoutOrchestration().Node())
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", "  ")
	err = enc.Encode(v)
	return buf.Bytes(), err
}

// source is a file as it was read.
type source struct {
	file  string
	read  map[krm.Origin]bool
	texts [][]byte // by document
}

// sourceOf is nil when none of objs can be such an object.
func (f origins) sourceOf(tree pkgtree.Tree, file string, objs []*krm.Object) *source {
	if len(f[file]) == 0 || !slices.ContainsFunc(objs, func(o *krm.Object) bool { return !o.Copied() }) {
		return nil
	}
	data, _ := tree.Get(file)
	return &source{file: file, read: f.setOf(file), texts: krm.Documents(data)}
}

func (s *source) holds(o *krm.Object) bool {
	return !o.Copied() && o.Source.File == s.file && s.read[o.Origin()]
}

// textOf is the text that o was read from; nil when o was not, or when that text cannot stand where o
// does now, or has something to say about where that is.
func (s *source) textOf(o *krm.Object, first, last bool) []byte {
	if !s.holds(o) || o.Source.Doc >= len(s.texts) {
		return nil
	}
	text := s.texts[o.Source.Doc]
	open := !bytes.HasSuffix(text, []byte("\n"))
	marked := bytes.HasPrefix(text, []byte("\ufeff"))
	if open && !last || marked && !first || slices.ContainsFunc(travelling, func(key []byte) bool { return bytes.Contains(text, key) }) {
		return nil
	}
	return text
}

// travelling are words of which one is in every annotation that is never written to a file.
var travelling = [][]byte{
	[]byte(krm.InternalPrefix), []byte("internal.config.k8s.io/"),
	[]byte(krm.LegacyPathAnnotation), []byte(krm.LegacyIndexAnnotation), []byte(krm.LegacyIDAnnotation),
}

// beginsDocument reports whether text has a separator of its own, as where something stands behind it.
func beginsDocument(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("---"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}
