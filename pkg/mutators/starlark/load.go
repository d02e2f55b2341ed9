package starlark

import (
	"encoding/json"
	"fmt"
	"sync"

	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/starlark/library"
)

// load is what a script gets by load(module, ...).
func (m *meter) load(_ *star.Thread, module string) (star.StringDict, error) {
	return library.Host{Pay: m.pay, Size: size, FromNode: fromNode, ToNode: toNode}.Load(module)
}

// toNode converts one value within the bounds of a file.
func toNode(v star.Value) (*yaml.Node, error) {
	w := &writer{nodes: krm.DefaultLimits.Nodes, bytes: krm.DefaultLimits.Bytes}
	return w.node(v, nil, 0)
}

// openAPI is ctx.open_api, and its definitions: a map that reads a definition when a script asks for it, because all of them
// together are large. They are those of kyaml, as in the catalogue.
type openAPI struct {
	meter       *meter
	definitions *openAPI              // of open_api itself
	read        map[string]star.Value // of the definitions: those that were asked for
}

func newOpenAPI(m *meter) *openAPI {
	return &openAPI{definitions: &openAPI{meter: m, read: map[string]star.Value{}}}
}

var _ star.Mapping = (*openAPI)(nil)

func (o *openAPI) String() string        { return "<open_api>" }
func (o *openAPI) Type() string          { return "open_api" }
func (o *openAPI) Freeze()               {}
func (o *openAPI) Truth() star.Bool      { return true }
func (o *openAPI) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable type: %s", o.Type()) }

// Get returns the definitions, or one of them.
func (o *openAPI) Get(key star.Value) (star.Value, bool, error) {
	name, _ := star.AsString(key)
	switch {
	case o.definitions != nil:
		return o.definitions, name == "definitions", nil
	case o.read[name] != nil:
		return o.read[name], true, nil
	case definitions()[name] == nil:
		return nil, false, nil
	}
	v, err := o.convert(definitions()[name])
	if err != nil {
		return nil, false, err
	}
	v.Freeze()
	o.read[name] = v
	return v, true, nil
}

func (o *openAPI) convert(schema json.RawMessage) (star.Value, error) {
	if err := o.meter.pay(times(entry, len(schema)/8)); err != nil {
		return nil, err
	}
	n, err := krm.NodeOf(schema)
	if err != nil {
		return nil, err
	}
	return fromNode(n)
}

// definitions are the schemas of kyaml, as JSON.
var definitions = sync.OnceValue(func() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for name, schema := range openapi.Schema().Definitions {
		if data, err := json.Marshal(schema); err == nil {
			all[name] = data
		}
	}
	return all
})
