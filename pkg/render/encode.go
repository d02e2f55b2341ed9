package render

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// encode appends the bytes of a file that holds objs. An object that was read from this file and not changed keeps
// its text.
func (f origins) encode(out []byte, tree pkgtree.Tree, file string, objs []*krm.Object) ([]byte, error) {
	if path.Ext(file) == ".json" {
		return encodeJSON(objs)
	}
	source := f.sourceOf(tree, file, objs)
	if source == nil {
		return krm.AppendFile(out, objs)
	}
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

// encodeJSON writes JSON if there is one object, which is all that a JSON file can hold.
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
	read  sets.Set[krm.Origin]
	texts [][]byte // by document
}

// sourceOf is nil when none of objs can have kept its text.
func (f origins) sourceOf(tree pkgtree.Tree, file string, objs []*krm.Object) *source {
	if len(f[file]) == 0 || !slices.ContainsFunc(objs, func(o *krm.Object) bool { return !o.Copied() }) {
		return nil
	}
	data, _ := tree.Get(file)
	return &source{file: file, read: sets.New(f[file]...), texts: krm.Documents(data)}
}

func (s *source) holds(o *krm.Object) bool {
	return !o.Copied() && o.Source.File == s.file && s.read.Has(o.Origin())
}

// textOf is the text that o was read from. It is nil when o was not read from this file or was changed, when the text cannot
// stand in the new place of o, and when it holds an annotation that says where o is.
func (s *source) textOf(o *krm.Object, first, last bool) []byte {
	if !s.holds(o) || o.Source.Doc >= len(s.texts) {
		return nil
	}
	text := s.texts[o.Source.Doc]
	open := !bytes.HasSuffix(text, []byte("\n"))
	marked := bytes.HasPrefix(text, []byte("\ufeff"))
	if open && !last || marked && !first || slices.ContainsFunc(transient, func(key []byte) bool { return bytes.Contains(text, key) }) {
		return nil
	}
	return text
}

// transient are texts of which every annotation that is never written to a file contains one.
var transient = [][]byte{
	[]byte(krm.InternalPrefix), []byte("internal.config.k8s.io/"),
	[]byte(krm.LegacyPathAnnotation), []byte(krm.LegacyIndexAnnotation), []byte(krm.LegacyIDAnnotation),
}

// beginsDocument reports whether text begins with a separator, which is so where a comment follows the separator.
func beginsDocument(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("---"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}
