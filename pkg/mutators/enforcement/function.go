// Package enforcement is the function set-enforcement-action: it sets what Gatekeeper does with an object that violates a
// constraint of the package.
//
// Shape: an action and items in; per constraint a copy with the action, the item itself where it has it.
// Cost: one copy of every constraint.
// Errors: a config with another action or unknown options; per constraint, a spec that is not a map.
// Source: the README of set-enforcement-action in krm-functions-catalog, and the behaviour of its v0.1.
package enforcement

import (
	"context"
	_ "embed" // for the README
	"errors"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed set-enforcement-action.md
var readme string

const functionName, configKind = "set-enforcement-action", "SetEnforcementAction"

// Function is set-enforcement-action.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Options are those of set-enforcement-action.
type Options struct {
	// EnforcementAction is deny, warn or dryrun. Required.
	EnforcementAction string `json:"enforcementAction"`
}

var actions = []string{"deny", "warn", "dryrun"}

// constraints is the version of all constraints, each of which has a kind of its own.
const constraints = "constraints.gatekeeper.sh/v1beta1"

// Run sets the action of every constraint, and reports each.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	action, err := readAction(in.Config)
	if err != nil {
		return nil, err
	}
	field := types.FsSlice{{Path: "spec/enforcementAction", CreateIfNotPresent: true}}
	set := func(n *yaml.RNode) error {
		if n.YNode().Kind != yaml.ScalarNode {
			return errors.New("want text")
		}
		edit.SetText(n.YNode(), action, edit.KeepQuotes)
		return nil
	}
	out, err := edit.EachObject(ctx, in, edit.ReachOf("spec"), func(o *krm.Object, n *yaml.RNode) error {
		if o.APIVersion() != constraints {
			return nil
		}
		return edit.AtFields(ctx, n, field, yaml.ScalarNode, set)
	})
	if err == nil && !out.Failed() {
		report(out, action)
	}
	return out, err
}

func report(out *fn.Output, action string) {
	found := 0
	for _, o := range out.Items {
		if o.APIVersion() == constraints {
			found++
			out.Report(sdk.Info, o, nil, "Policy name: [%s]", o.Name())
		}
	}
	if found == 0 {
		out.Report(sdk.Warning, nil, nil, "Found no policy to set to [%s]", action)
		return
	}
	out.Report(sdk.Info, nil, nil, "Number of policies set to [%s]: %d", action, found)
}

func readAction(config *krm.Object) (string, error) {
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		return edit.Assign(entries, "enforcementAction", map[string]*string{"enforcementAction": &opts.EnforcementAction})
	})
	if err == nil && !slices.Contains(actions, opts.EnforcementAction) {
		return "", field.NotSupported(edit.OptionAt(config, "enforcementAction"), opts.EnforcementAction, actions)
	}
	return opts.EnforcementAction, err
}
