package kptfile

import (
	"fmt"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Name is the file that makes a directory a package.
const Name = v1.KptFileName

// APIVersion and Kind are those of every Kptfile.
const (
	APIVersion = "kpt.dev/v1"
	Kind       = "Kptfile"
)

// limits are far above any real Kptfile and far below what could hurt.
var limits = krm.Limits{Bytes: 4 << 20, Nodes: 200_000, Depth: 100}

// File is one Kptfile. Change it through its methods, which keep Object and Spec in step.
type File struct {
	// Object is the file as YAML.
	Object *krm.Object
	// Spec is the file as values.
	Spec v1.KptFile

	source  []byte // the parsed text; nil if the File came from an object
	changed bool   // an edit began; a later one may have undone it
	err     error  // the first edit that failed; Bytes returns it
}

// Parse parses the Kptfile with path file, used in messages. It is strict: an unknown field, a
// second document or an apiVersion other than kpt.dev/v1 is an error.
func Parse(file string, data []byte) (*File, error) {
	if f := cache.get(file, data); f != nil {
		return f, nil
	}
	objects, err := krm.Read(file, data, limits)
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s: want one Kptfile object, found %d", file, len(objects))
	}
	f, err := FromObject(objects[0])
	if err != nil {
		return nil, err
	}
	f.source = data
	cache.put(f)
	return f, nil
}

// New returns the minimal Kptfile of a package with that name.
func New(name string) *File {
	text := krm.StringNode
	o := krm.FromNode(krm.MapNode(text("apiVersion"), text(APIVersion), text("kind"), text(Kind),
		text("metadata"), krm.MapNode(text("name"), text(name))))
	f := &File{Object: o}
	f.Spec.APIVersion, f.Spec.Kind, f.Spec.Name = APIVersion, Kind, name
	return f
}

// FromObject returns a File of a parsed object, which then belongs to the File: pass a DeepCopy of
// a shared object before an edit.
func FromObject(o *krm.Object) (*File, error) {
	f := &File{Object: o}
	if err := checkKind(o); err != nil {
		return nil, err
	}
	if err := decode(o, &f.Spec); err != nil {
		return nil, err
	}
	return f, nil
}

// Bytes prints the file. Without a change the result is the parsed text; after one it is the output
// of kpt's writer, with list items indented as before.
func (f *File) Bytes() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	if f.source != nil && !f.changed {
		return f.source, nil
	}
	if f.source != nil {
		again, err := krm.Read(Name, f.source, limits)
		if err == nil && len(again) == 1 && krm.Same(again[0], f.Object) {
			return f.source, nil
		}
	}
	return krm.Write([]*krm.Object{f.Object})
}
