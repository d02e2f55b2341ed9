package apisync

import (
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// document caches the JSON and plain data of an object, for rules and templates.
type document struct {
	object *krm.Object
	json   []byte
	plain  map[string]any
	err    error
}

// doc returns the document of an object.
func (x *index) doc(o *krm.Object) *document {
	d := x.docs[o]
	if d == nil {
		d = &document{object: o}
		x.docs[o] = d
	}
	return d
}

func (d *document) text() ([]byte, error) {
	if d.json == nil && d.err == nil {
		if at := krm.TooLarge(d.object.Node()); at != "" {
			d.err = fmt.Errorf("%s: a whole number is too large to be exact; let it be a text", strings.TrimPrefix(at, "."))
			return nil, d.err
		}
		d.json, d.err = krm.CanonicalJSON(d.object.WithoutOrchestration().Node())
	}
	return d.json, d.err
}

// fields are the object's fields as templates get them.
func (d *document) fields() (map[string]any, error) {
	if d.plain == nil && d.err == nil {
		var data []byte
		if data, d.err = d.text(); d.err == nil {
			d.plain, d.err = fieldsOf(data)
		}
	}
	return d.plain, d.err
}

// fieldsOf are the fields of a document as templates get them.
func fieldsOf(data []byte) (map[string]any, error) {
	v, err := text.Decode(data)
	if err != nil {
		return nil, err
	}
	fields, is := v.(map[string]any)
	if !is {
		return nil, errors.New("it is no object")
	}
	return fields, nil
}
