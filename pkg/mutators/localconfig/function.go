// Package localconfig is the function remove-local-config-resources: it removes the objects that are never applied to a
// cluster.
//
// Shape: items in; those that are not local configuration out. A Kptfile stays.
// Cost: one look at every object. Errors: a config with options; there are none.
// Source: the README of remove-local-config-resources in krm-functions-catalog, and the behaviour of its v0.1.
package localconfig

import (
	"context"
	_ "embed" // for the README
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed remove-local-config-resources.md
var readme string

const functionName, configKind = "remove-local-config-resources", "RemoveLocalConfigResources"

// Function is remove-local-config-resources.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run removes local configuration, and reports each object.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	if err := edit.NoOptions(in.Config, configKind); err != nil {
		return nil, err
	}
	out, removed := &fn.Output{}, 0
	for _, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !strings.EqualFold(o.Annotation(krm.LocalConfigAnnotation), "true") || o.Is("kpt.dev", "Kptfile") {
			out.Items = append(out.Items, o)
			continue
		}
		removed++
		out.Report(sdk.Info, o, nil, "Resource name: [%s]", o.Name())
	}
	if removed == 0 {
		out.Report(sdk.Warning, nil, nil, "Found no resources to prune with the local config annotation")
	} else {
		out.Report(sdk.Info, nil, nil, "Number of resources pruned: %d", removed)
	}
	return out, nil
}
