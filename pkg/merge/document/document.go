package document

import (
	"bytes"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Document is one document of a file: its text, nil if the object was changed, and its object, nil for none.
type Document struct {
	Text     []byte
	Object   *krm.Object // with its marks
	Unmarked bool        // the marks are not in the text
	ID       Identity
}

// Identity identifies an object in a file: by the names in its mark, if it has one, and without version.
type Identity struct{ group, Kind, namespace, Name string }

// IdentityOf returns the identity of an object: by its marks, or else by its name.
func IdentityOf(o *krm.Object) Identity {
	namespace, name := mark.Upstream(o)
	return Identity{o.Group(), o.Kind(), namespace, name}
}

// ReadMarked reads a file and marks the objects in it.
func ReadMarked(file string, b *pkgtree.Blob) ([]*Document, error) {
	docs, err := Read(file, b)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if d.Object == nil {
			continue
		}
		if o := d.Object; takesMarks(o) {
			d.Object = mark.Set(o)
			d.Unmarked = d.Object != o
		}
		d.ID = IdentityOf(d.Object)
	}
	return docs, nil
}

// Read reads a file; no documents if it does not exist.
func Read(file string, b *pkgtree.Blob) ([]*Document, error) {
	if b == nil {
		return nil, nil
	}
	objects, err := krm.Read(file, b.Data(), krm.Limits{})
	if err != nil {
		return nil, err
	}
	texts := krm.Documents(b.Data())
	docs := make([]*Document, len(texts))
	for i, text := range texts {
		docs[i] = &Document{Text: text}
	}
	for _, o := range objects {
		docs[o.Source.Doc].Object = o
	}
	return docs, nil
}

// takesMarks reports whether an object can have marks: annotations that are no map are not replaced.
func takesMarks(o *krm.Object) bool {
	n := o.Lookup("metadata", "annotations")
	return n == nil || krm.IsMap(n) || krm.IsNull(n)
}

// appendTo appends the document to a file.
func (d *Document) appendTo(dst []byte, notFirst bool) ([]byte, error) {
	text := d.Text
	if d.Object != nil && (text == nil || d.Unmarked) {
		var err error
		if text, err = krm.Write([]*krm.Object{d.Object}); err != nil {
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

// Bytes is the file with docs.
func Bytes(docs []*Document) (data []byte, err error) {
	for i, d := range docs {
		if data, err = d.appendTo(data, i > 0); err != nil {
			return nil, err
		}
	}
	return data, nil
}
