package mapcontroller

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
)

// Request is one request to a hook. Its objects have no annotations of an orchestrator, and must not be changed.
type Request struct {
	// Hook is HookMap, HookTombstone, HookFinalize or HookCustomize; Version is v1 or v2.
	Hook, Version string
	// ParentKey and MapKey distinguish requests to one hook; MapKey is "" for HookCustomize. Key is the canonical key of
	// the input.
	ParentKey, Key, MapKey     string
	Controller, Parent, Input  *krm.Object // Input may be nil
	Outputs, Related           Association
	Finalizing                 bool
	Reason                     applyset.Reason // why Input is nil
	controllerData, parentData map[string]any
	relatedData                map[string]any
	budget                     *budget
}

// Fields are the fields of the request, plain data that other requests share and that must not be changed.
func (r *Request) Fields() (map[string]any, error) {
	out := map[string]any{"controller": r.controllerData, "parent": r.parentData}
	if r.Hook == HookCustomize {
		return out, nil
	}
	out["mapKey"] = r.MapKey
	if r.Input != nil {
		v, err := plain.FromNode(r.Input.Node())
		if err != nil {
			return nil, err
		}
		out["input"] = v
	}
	outputs, err := r.Outputs.data()
	if err != nil {
		return nil, err
	}
	out["outputs"] = outputs
	if r.Related != nil {
		out["related"] = r.relatedData
	}
	out["finalizing"] = r.Finalizing
	if r.Version == waybill.HookV2 && r.Hook != HookMap {
		out["reason"] = string(r.Reason)
	}
	return out, nil
}

// JSON is the request as canonical JSON: sorted keys, no insignificant space, no HTML escaping.
func (r *Request) JSON() ([]byte, error) {
	fields, err := r.Fields()
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(fields); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Hash is the key of the request in a HookRecording: the SHA-256 of JSON in hexadecimal digits.
func (r *Request) Hash() (string, error) {
	data, err := r.JSON()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Association holds objects as hooks get them: by "<Kind>.<apiVersion>", then by name. It has an entry for every type that
// may have objects.
type Association map[string]map[string]*krm.Object

// nameScope determines which objects a hook gets and how they are named: by its version and the parent's namespace.
type nameScope struct {
	version   string
	namespace string // the parent's; "" for none
}

func newAssociation(types []resource) Association {
	a := make(Association, len(types))
	for i := range types {
		a[types[i].key()] = map[string]*krm.Object{}
	}
	return a
}

// add adds an object of a namespace, "" for none, if the hook gets it.
func (a Association) add(as *resource, o *krm.Object, namespace string, from nameScope) {
	name := o.Name()
	switch {
	case from.version == waybill.HookV2 || from.namespace == "":
		if namespace != "" {
			name = namespace + "/" + name
		}
	case namespace != from.namespace: // of another namespace, or of none
		return
	}
	group := a[as.key()]
	if group[name] == nil {
		group[name] = o.WithoutOrchestration()
	}
}

// data converts the association to plain data.
func (a Association) data() (map[string]any, error) {
	out := make(map[string]any, len(a))
	for kind, objects := range a {
		group := make(map[string]any, len(objects))
		for name, o := range objects {
			v, err := plain.FromNode(o.Node())
			if err != nil {
				return nil, err
			}
			group[name] = v
		}
		out[kind] = group
	}
	return out, nil
}

// node converts the association to a node, which shares those of its objects.
func (a Association) node() *yaml.Node {
	out := krm.MapNode()
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		group := krm.MapNode()
		for _, name := range slices.Sorted(maps.Keys(a[kind])) {
			group.Content = append(group.Content, krm.StringNode(name), a[kind][name].Node())
		}
		out.Content = append(out.Content, krm.StringNode(kind), group)
	}
	return out
}

// objects are all objects, sorted.
func (a Association) objects() (all []*krm.Object) {
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		for _, name := range slices.Sorted(maps.Keys(a[kind])) {
			all = append(all, a[kind][name])
		}
	}
	return all
}
