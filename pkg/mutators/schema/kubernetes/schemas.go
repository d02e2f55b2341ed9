// Package kubernetes has the schemas of Kubernetes' own kinds, of its last five minor releases.
//
// Shape: an apiVersion and a kind in, a schema out, whose references are resolved in the same release.
// Cost: the file, 30 kB, is unpacked and indexed when it is first asked, some 10 ms; a definition is decoded when it is first
// used.
// Errors: none; the file is part of the program.
// Source: api/openapi-spec/swagger.json of k8s.io/kubernetes, without descriptions (generate).
package kubernetes

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the schemas
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

//go:generate go run ./generate v1.33.0 v1.34.0 v1.35.0 v1.36.3 v1.37.0

//go:embed schemas.json.gz
var packed []byte

// schemas are the schemas, indexed.
type schemas struct {
	Minors      []string              `json:"minors"`
	Definitions map[string][]*variant `json:"definitions"`
	kinds       map[Kind][]*variant
	groups      map[string]bool
}

// variant is a definition as the minors from First to Last have it.
type variant struct {
	First  int             `json:"first"`
	Last   int             `json:"last"`
	Raw    json.RawMessage `json:"schema"`
	decode func() *spec.Schema
}

// Kind is a kind of objects in one version.
type Kind struct{ APIVersion, Name string }

var load = sync.OnceValue(func() *schemas {
	s := &schemas{kinds: map[Kind][]*variant{}, groups: map[string]bool{"extensions": true}} // a former group
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(r).Decode(s)
	}
	if err != nil {
		panic(fmt.Sprintf("the schemas of Kubernetes in this program: %v", err))
	}
	for _, variants := range s.Definitions {
		for _, v := range variants {
			s.index(v)
		}
	}
	return s
})

// index prepares v, and notes the kind that it is for. Definitions for many kinds, such as DeleteOptions, are for requests.
func (s *schemas) index(v *variant) {
	v.decode = sync.OnceValue(func() *spec.Schema {
		out := &spec.Schema{}
		if err := json.Unmarshal(v.Raw, out); err != nil {
			panic(fmt.Sprintf("a schema of Kubernetes in this program: %v", err))
		}
		return out
	})
	var is struct {
		For []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
	}
	if err := json.Unmarshal(v.Raw, &is); err != nil || len(is.For) != 1 {
		return
	}
	kind := Kind{strings.TrimPrefix(is.For[0].Group+"/"+is.For[0].Version, "/"), is.For[0].Kind}
	s.kinds[kind] = append(s.kinds[kind], v)
	s.groups[is.For[0].Group] = true
}

// Minors are the minor releases, such as 1.37, oldest first.
func Minors() []string { return slices.Clone(load().Minors) }

// Schema is a schema of one release.
type Schema struct {
	*spec.Schema
	minor int
}

// Find returns the schema of a kind in a minor release, of the newest that has it if minor is "".
func Find(kind Kind, minor string) (Schema, bool) {
	s := load()
	at := slices.Index(s.Minors, minor)
	for _, v := range slices.Backward(s.kinds[kind]) {
		switch {
		case minor == "":
			return Schema{v.decode(), v.Last}, true
		case v.First <= at && at <= v.Last:
			return Schema{v.decode(), at}, true
		}
	}
	return Schema{}, false
}

// Resolve follows one reference in s, nil when there is no such definition.
func (s Schema) Resolve(ref string) *spec.Schema {
	for _, v := range load().Definitions[strings.TrimPrefix(ref, "#/definitions/")] {
		if v.First <= s.minor && s.minor <= v.Last {
			return v.decode()
		}
	}
	return nil
}

// IsOwn reports whether the group of apiVersion is one of Kubernetes' own.
func IsOwn(apiVersion string) bool {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	return load().groups[group]
}

// Served are the apiVersions in which a minor release ("": any of them) serves a kind of that name.
func Served(name, minor string) (apiVersions []string) {
	for kind := range load().kinds {
		if kind.Name != name {
			continue
		}
		if _, ok := Find(kind, minor); ok {
			apiVersions = append(apiVersions, kind.APIVersion)
		}
	}
	slices.Sort(apiVersions)
	return apiVersions
}
