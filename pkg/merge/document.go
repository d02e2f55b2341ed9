package merge

import (
	"bytes"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// document is one document of a file: the text it was read from, nil once it says something else, and
// the object in it, nil for none.
type document struct {
	text     []byte
	object   *krm.Object // with its marks
	unmarked bool        // the marks are not in the text
	id       identity
}

// identity is what makes two documents of one file the same object: the names that its mark has, if it
// has one, and no version.
type identity struct{ group, kind, namespace, name string }

func identify(o *krm.Object) identity {
	namespace, name, ok := mark.Read(o)
	if !ok {
		namespace, name = o.Namespace(), o.Name()
	}
	return identity{o.Group(), o.Kind(), namespace, name}
}

// readDocuments reads a file and marks the objects in it.
func readDocuments(file string, b *pkgtree.Blob) ([]*document, error) {
	docs, err := parseDocuments(file, b)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if d.object == nil {
			continue
		}
		if o := d.object; takesMarks(o) {
			d.object = mark.Set(o)
			d.unmarked = d.object != o
		}
		d.id = identify(d.object)
	}
	return docs, nil
}

// parseDocuments reads a file as it is. There are no documents where there is no file.
func parseDocuments(file string, b *pkgtree.Blob) ([]*document, error) {
	if b == nil {
		return nil, nil
	}
	objects, err := krm.Read(file, b.Data(), krm.Limits{})
	if err != nil {
		return nil, err
	}
	texts := krm.Documents(b.Data())
	docs := make([]*document, len(texts))
	for i, text := range texts {
		docs[i] = &document{text: text}
	}
	for _, o := range objects {
		docs[o.Source.Doc].object = o
	}
	return docs, nil
}

// takesMarks reports whether there is room for them: annotations that are no map are not replaced.
func takesMarks(o *krm.Object) bool {
	n := o.Lookup("metadata", "annotations")
	return n == nil || isMap(n) || isNull(n)
}

// appendTo appends the document to a file.
func (d *document) appendTo(dst []byte, notFirst bool) ([]byte, error) {
	text := d.text
	if d.object != nil && (text == nil || d.unmarked) {
		var err error
		if text, err = krm.Write([]*krm.Object{d.object}); err != nil {
			return nil, err
		}
	}
	if notFirst && !bytes.HasPrefix(text, []byte("---")) {
		dst = append(dst, "---\n"...)
	}
	dst = append(dst, text...)
	if len(dst) > 0 && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst, nil
}

// fileOf is the file of docs.
func fileOf(docs []*document) (data []byte, err error) {
	for i, d := range docs {
		if data, err = d.appendTo(data, i > 0); err != nil {
			return nil, err
		}
	}
	return data, nil
}
