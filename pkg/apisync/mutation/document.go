package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// run is one call: a document on its way through the rules.
type run struct {
	doc   string // after the rules so far
	other []byte
	left  *text.Allowance
	sides

	self      map[string]any // doc as data; nil until needed
	otherData any
	read      bool // otherData is other as data
}

// sides are the names of the document and the other in templates, besides Self and Other.
type sides struct{ self, other string }

var (
	ofSpec   = sides{"Source", "Destination"}
	ofStatus = sides{"Destination", "Source"}
)

// data are the document and the other as plain data. They must not be changed.
func (r *run) data() (self map[string]any, other any, err error) {
	if r.self == nil {
		v, err := r.decode([]byte(r.doc))
		if err != nil {
			return nil, nil, fmt.Errorf("the object cannot be read: %w", err)
		}
		r.self, _ = v.(map[string]any)
	}
	if !r.read && len(r.other) > 0 {
		if r.otherData, err = r.decode(r.other); err != nil {
			return nil, nil, fmt.Errorf("the other object cannot be read: %w", err)
		}
	}
	r.read = true
	return r.self, r.otherData, nil
}

func (r *run) decode(doc []byte) (any, error) {
	if len(doc) > maxDocument {
		return nil, errTooLarge
	}
	if err := r.left.Draw(1 + len(doc)/(bytesPerStep/4)); err != nil {
		return nil, err
	}
	return text.Decode(doc)
}

var errTooLarge = fmt.Errorf("an object has more than %d bytes", maxDocument)

// write writes JSON to the place of keys.
func (r *run) write(keys []key, raw string) error {
	doc, err := set(r.doc, keys, raw)
	if err != nil {
		return err
	}
	return r.replaceDoc(doc, keys)
}

func (r *run) remove(keys []key) error {
	return r.replaceDoc(remove(r.doc, keys), keys)
}

func (r *run) removeAll(p *path) error {
	r.self = nil
	return r.replaceDoc(p.removeAll(r.doc), nil)
}

func (r *run) replaceDoc(doc string, keys []key) error {
	if len(doc) > maxDocument {
		return errTooLarge
	}
	if r.doc = doc; r.self != nil {
		r.refresh(keys)
	}
	return r.left.Draw(1 + len(doc)/bytesPerStep)
}

// refresh updates self after a change at one place. Where that fails, the next use of self decodes the whole document.
func (r *run) refresh(keys []key) {
	m, at := r.self, gjson.Parse(r.doc)
	for i, k := range keys {
		at = k.in(at)
		if within, is := m[k.name].(map[string]any); is && at.IsObject() && i+1 < len(keys) {
			m = within
			continue
		}
		if !at.Exists() {
			delete(m, k.name)
		} else if v, err := r.decode([]byte(at.Raw)); err == nil {
			m[k.name] = v
		} else {
			r.self = nil
		}
		return
	}
}

// encode is canonical JSON of plain data.
func encode(v any) (string, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", errors.New("it has no JSON form")
	}
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// finish restores the type, and checks that the result is an object.
func (r *run) finish(before string) error {
	for _, name := range []string{"apiVersion", "kind"} {
		was, now := gjson.Get(before, name), gjson.Get(r.doc, name)
		switch {
		case was.Raw == now.Raw:
			continue
		case was.Exists():
			if err := r.write([]key{{name: name}}, was.Raw); err != nil {
				return err
			}
		default:
			if err := r.remove([]key{{name: name}}); err != nil {
				return err
			}
		}
	}
	return checkObject(gjson.Parse(r.doc))
}

// checkObject says why the result of the rules is not an object.
func checkObject(doc gjson.Result) error {
	metadata := doc.Get("metadata")
	if name := metadata.Get("name"); !metadata.IsObject() || name.Type != gjson.String || name.Str == "" {
		return errors.New("the rules leave an object without metadata.name")
	}
	if namespace := metadata.Get("namespace"); namespace.Exists() && namespace.Type != gjson.String && namespace.Type != gjson.Null {
		return errors.New("the rules leave a metadata.namespace that is not a string")
	}
	for _, name := range []string{"labels", "annotations"} {
		if all := metadata.Get(name); all.Exists() && !areTexts(all) {
			return fmt.Errorf("the rules leave metadata.%s that are not strings", name)
		}
	}
	return nil
}

func areTexts(all gjson.Result) bool {
	texts := all.IsObject() || all.Type == gjson.Null
	all.ForEach(func(_, v gjson.Result) bool {
		texts = texts && v.Type == gjson.String
		return texts
	})
	return texts
}
