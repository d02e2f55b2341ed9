package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
)

// functionHook is a KRM function.
type functionHook struct {
	hooks  Hooks
	config *waybill.FunctionHook
}

// call implements hook.
func (h *functionHook) call(ctx context.Context, r *Request) (*answer, error) {
	in := &fn.Input{Config: mapRequest(r)}
	if r.Input != nil {
		in.Items = append(in.Items, r.Input)
	}
	in.Items = append(in.Items, r.Outputs.objects()...)
	out, err := h.hooks.Function(ctx, h.config, in)
	if err != nil {
		return nil, err
	}
	if out == nil {
		return nil, errors.New("it returned nothing")
	}
	a := &answer{}
	if a.notes, err = notesOf(out.Results); err != nil {
		return nil, err
	}
	return a, a.takeItems(r, out.Items)
}

// takeItems reads the items that a function returned, except its input.
func (a *answer) takeItems(r *Request, items []*krm.Object) error {
	for i, o := range items {
		switch {
		case o == nil:
			return fmt.Errorf("items[%d] is null", i)
		case r.Hook == HookCustomize:
			rules, err := waybill.ReadRelatedResources(o)
			if err != nil {
				return err
			}
			a.related = append(a.related, rules.RelatedResources...)
		case r.Input == nil || o.ID() != r.Input.ID():
			a.outputs = append(a.outputs, o.DeepCopy())
		}
	}
	switch {
	case len(a.outputs) > maxOutputs:
		return publicError{fmt.Errorf("it returned %d outputs; one input may have %d", len(a.outputs), maxOutputs)}
	case len(a.related) > maxRules:
		return publicError{fmt.Errorf("it returned %d rules; it may return %d", len(a.related), maxRules)}
	}
	a.finalized = r.Hook == HookFinalize && len(a.outputs) == 0
	return nil
}

// notesOf are results of a function that do not fail it; a result of severity error is an error.
func notesOf(results sdk.Results) (notes []applyset.Note, err error) {
	var faults []string
	for _, r := range results {
		switch {
		case r == nil:
		case r.Severity == sdk.Error:
			faults = append(faults, r.Message)
		default:
			severity := sdk.Info
			if r.Severity == sdk.Warning {
				severity = sdk.Warning
			}
			notes = append(notes, applyset.Note{Severity: severity, Message: oneLine(r.Message)})
		}
	}
	if len(faults) > 0 {
		return nil, errors.New(oneLine(strings.Join(faults, "; ")))
	}
	return notes, nil
}

// mapRequest is the config of a function.
func mapRequest(r *Request) *krm.Object {
	text := krm.StringNode
	root := krm.MapNode(
		text("apiVersion"), text(waybill.APIVersion), text("kind"), text(waybill.KindMapRequest),
		text("metadata"), krm.MapNode(text("name"), text(r.Controller.Name())),
		text("controller"), r.Controller.Node(), text("parent"), r.Parent.Node(),
	)
	set := func(name string, value *yaml.Node) { root.Content = append(root.Content, text(name), value) }
	if r.MapKey != "" {
		set("mapKey", text(r.MapKey))
	}
	set("tombstone", plain.Bool(r.Hook != HookCustomize && r.Input == nil))
	if r.Finalizing {
		set("finalizing", plain.Bool(true))
	}
	if r.Version == waybill.HookV2 && r.Reason != "" {
		set("reason", text(string(r.Reason)))
	}
	if r.Related != nil {
		set("related", r.Related.node())
	}
	return krm.FromNode(root)
}
