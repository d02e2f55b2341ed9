package main

import (
	"context"
	"slices"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// function is map with one function to be a hook.
var function = mapcontroller.Function(ports)

func TestGolden(t *testing.T) { fntest.Run(t, function, "testdata/*.txtar") }

// ports makes a ConfigMap of a Service; of one that is gone it keeps what its parent names.
var ports = &fn.Function{Name: "ports", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
	request, err := porchconfig.ReadAs[waybill.MapRequest](in.Config, waybill.APIVersion, waybill.KindMapRequest)
	if err != nil {
		return nil, err
	}
	out := fn.NewOutput(in)
	switch {
	case request.MapKey == "":
		out.Items = related("secrets")
	case request.Tombstone:
		out.Items = slices.DeleteFunc(out.Items, func(o *krm.Object) bool {
			return o.Name() != in.Config.String("parent", "spec", "keep")
		})
		out.Report(sdk.Info, nil, nil, "asked because of %s", request.Reason)
	case in.Items[0].String("spec", "port") == "0":
		out.Report(sdk.Error, nil, nil, "no port")
		out.Report(sdk.Error, nil, nil, "nothing\nelse")
	default:
		out.Items = append(out.Items[:1], configMap(in.Items[0]))
		out.Report(sdk.Warning, in.Items[0], nil, "%d outputs before, %d kinds related", len(in.Items)-1, len(request.Related))
	}
	return out, nil
}}

func configMap(service *krm.Object) *krm.Object {
	text := krm.StringNode
	return krm.FromNode(krm.MapNode(
		text("apiVersion"), text("v1"), text("kind"), text("ConfigMap"),
		text("metadata"), krm.MapNode(text("name"), text(service.Name())),
		text("data"), krm.MapNode(text("port"), text(service.String("spec", "port")))))
}

func related(plural string) []*krm.Object {
	o, err := krm.FromTyped(map[string]any{
		"apiVersion": waybill.APIVersion, "kind": waybill.KindRelatedResources, "metadata": map[string]any{"name": "related"},
		"relatedResources": []any{map[string]any{"apiVersion": "v1", "resource": plural}},
	})
	if err != nil {
		panic(err)
	}
	return []*krm.Object{o}
}
