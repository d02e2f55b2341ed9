// Package setimage is the function set-image: it gives the images of one name another name, tag or
// digest.
//
// Shape: a name, its change and items in; per item a copy with the images set, the item itself where none
// matches. Which fields hold images is a table (standard).
// Cost: one copy of every object of a kind that has images, one comparison per image.
// Errors: a config without a change, or with one that is no image; per object, an image that is no text.
// Source: the README of set-image in krm-functions-catalog; kustomize's image tag filter.
package setimage

import (
	"cmp"
	"context"
	_ "embed" // for the README
	"errors"
	"regexp"
	"sync/atomic"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/api/filters/imagetag"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed set-image.md
var readme string

const functionName, configKind = "set-image", "SetImage"

// Function is set-image.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run sets the images, and reports how many it set, changed or not. CustomResourceDefinitions are handed on as they are.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	filter := imagetag.Filter{
		ImageTag: types.Image{
			Name:    regexp.QuoteMeta(opts.Image.Name), // for the filter, a pattern
			NewName: opts.Image.NewName,
			NewTag:  opts.Image.NewTag,
			Digest:  opts.Image.Digest,
		},
		FsSlice: append(edit.Specs(opts.AdditionalImageFields), standard...),
	}
	var set atomic.Int64
	filter.WithMutationTracker(func(string, string, string, *yaml.RNode) { set.Add(1) })
	out, err := edit.Each(ctx, in, edit.ReachOf().Along(filter.FsSlice), func(o *yaml.RNode) error {
		_, err := filter.Filter([]*yaml.RNode{o})
		if err == nil {
			return nil
		}
		return cmp.Or(edit.AtFields(ctx, o, filter.FsSlice, yaml.ScalarNode, wantText), err)
	})
	if err == nil && !out.Failed() {
		out.Report(sdk.Info, nil, nil, "summary: updated a total of %d image(s)", set.Load())
	}
	return out, err
}

// wantText is the fault of an image that is no text, in place of kustomize's message, which names the field in another way.
func wantText(n *yaml.RNode) error {
	if n.YNode().Kind != yaml.ScalarNode {
		return errors.New("want text")
	}
	return nil
}

// standard are the fields of Kubernetes' own kinds that name an image.
var standard = func() (out types.FsSlice) {
	for _, k := range edit.PodSpecs {
		for _, field := range []string{"containers[]/image", "initContainers[]/image", "ephemeralContainers[]/image",
			"volumes[]/image/reference"} {
			out = append(out, types.FieldSpec{Gvk: resid.Gvk{Group: k.Group, Kind: k.Kind}, Path: k.Path + "/" + field})
		}
	}
	return out
}()
