package mapping

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Request is one question to a hook. Its objects have no annotations of an orchestrator, and must not be
// changed.
type Request struct {
	// Hook is HookMap, HookTombstone, HookFinalize or HookCustomize; Version is v1 or v2.
	Hook, Version string
	// ParentKey and MapKey tell requests to one hook apart; MapKey is "" for HookCustomize. Key is the
	// canonical key of the input.
	ParentKey, Key, MapKey     string
	Controller, Parent, Input  *krm.Object // Input is nil where there is none
	Outputs, Related           Association
	Finalizing                 bool
	Reason                     correspond.Reason // why there is no input
	controllerData, parentData map[string]any
	relatedData                map[string]any
	budget                     *budget
}

// Fields are the fields of the request, plain data that is shared with other requests and must not be
// changed.
func (r *Request) Fields() (map[string]any, error) {
	out := map[string]any{"controller": r.controllerData, "parent": r.parentData}
	if r.Hook == HookCustomize {
		return out, nil
	}
	out["mapKey"] = r.MapKey
	if r.Input != nil {
		v, err := plainOf(r.Input.Node())
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
	if r.Version == waybill.HookV2 {
		out["finalizing"] = r.Finalizing
		if r.Hook != HookMap {
			out["reason"] = string(r.Reason)
		}
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

// Hash is what a HookRecording calls the request: the SHA-256 of JSON in hexadecimal digits.
func (r *Request) Hash() (string, error) {
	data, err := r.JSON()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
