package fn

import (
	"cmp"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// wireResult is a result in any form that functions write: the current one, the one with resourceRef.metadata, and the one
// with field.suggestedValue.
type wireResult struct {
	Message     string       `json:"message"`
	Severity    sdk.Severity `json:"severity"`
	ResourceRef *struct {
		sdk.ResourceRef
		Metadata struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
	} `json:"resourceRef"`
	Field *struct {
		sdk.Field
		SuggestedValue any `json:"suggestedValue"`
	} `json:"field"`
	File *sdk.File         `json:"file"`
	Tags map[string]string `json:"tags"`
}

// readResults reads results as a list or in the legacy form {name, items: [...]}.
func readResults(n *yaml.Node) (sdk.Results, error) {
	if krm.IsMap(n) {
		n = krm.Lookup(n, "items")
	}
	if n == nil || krm.IsNull(n) {
		return nil, nil
	}
	if !krm.IsList(n) {
		return nil, fmt.Errorf("line %d: results is not a list", n.Line)
	}
	out := make(sdk.Results, len(n.Content))
	for i, e := range n.Content {
		var w wireResult
		if err := krm.DecodeLoose(e, nil, &w); err != nil {
			return nil, fmt.Errorf("line %d: results[%d]: %w", e.Line, i, err)
		}
		out[i] = w.result()
	}
	return out, nil
}

func (w *wireResult) result() *sdk.Result {
	r := &sdk.Result{Message: w.Message, Severity: cmp.Or(w.Severity, sdk.Info), File: w.File, Tags: w.Tags}
	if ref := w.ResourceRef; ref != nil {
		r.ResourceRef = &ref.ResourceRef
		r.ResourceRef.Name = cmp.Or(ref.Name, ref.Metadata.Name)
		r.ResourceRef.Namespace = cmp.Or(ref.Namespace, ref.Metadata.Namespace)
	}
	if f := w.Field; f != nil {
		r.Field = &f.Field
		if f.ProposedValue == nil {
			r.Field.ProposedValue = f.SuggestedValue
		}
	}
	return r
}
