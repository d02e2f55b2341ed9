// Package deleteannotations is the function delete-annotations: it removes annotations from all objects.
//
// Shape: keys and items in; per item a copy without these annotations, the item itself where it has none of them.
// Cost: one copy of every object that has one of the annotations.
// Errors: a config that names no annotations, or reserved ones, or unknown options.
// Source: the README of delete-annotations in krm-functions-catalog, and the behaviour of its v0.1.
package deleteannotations

import (
	"context"
	_ "embed" // for the README
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed delete-annotations.md
var readme string

const functionName, configKind = "delete-annotations", "DeleteAnnotations"

// Function is delete-annotations.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Options are those of delete-annotations.
type Options struct {
	// AnnotationKeys are the annotations to remove. At least one.
	AnnotationKeys []string `json:"annotationKeys"`
}

// Run removes the annotations, also from local configuration, and reports each.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	out, changed := fn.NewOutput(in), 0
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		removed := slices.DeleteFunc(slices.Clone(opts.AnnotationKeys), func(key string) bool { return !o.HasAnnotation(key) })
		if len(removed) == 0 {
			continue
		}
		changed++
		out.Items[i] = edit.Copy(o)
		out.Items[i].RemoveAnnotations(func(key string) bool { return slices.Contains(removed, key) })
		for _, key := range removed {
			at := field.NewPath("metadata", "annotations").Key(key)
			out.Report(sdk.Info, o, at, "Annotation: [%s] removed from resource: [%s]", key, o.Name())
		}
	}
	if changed == 0 {
		out.Report(sdk.Info, nil, nil, "None of the resources had the provided annotations to delete")
	} else {
		out.Report(sdk.Info, nil, nil, "The provided annotations were deleted from %d resource(s)", changed)
	}
	return out, nil
}

func readOptions(config *krm.Object) (Options, error) {
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		var keys string
		errs := edit.Assign(entries, "annotationKeys", map[string]*string{"annotationKeys": &keys})
		opts.AnnotationKeys = edit.SplitList(keys)
		return errs
	})
	if err != nil {
		return opts, err
	}
	slices.Sort(opts.AnnotationKeys)
	opts.AnnotationKeys = slices.Compact(opts.AnnotationKeys)
	return opts, validate(opts.AnnotationKeys, edit.OptionAt(config, "annotationKeys")).ToAggregate()
}

// mostKeys bounds the annotations that are looked for in every object.
const mostKeys = 1000

func validate(keys []string, at *field.Path) field.ErrorList {
	switch {
	case len(keys) == 0:
		return field.ErrorList{field.Required(at, "name the annotations to delete, separated by commas")}
	case len(keys) > mostKeys:
		return field.ErrorList{field.TooMany(at, len(keys), mostKeys)}
	}
	entries := map[string]string{}
	for _, key := range keys {
		entries[key] = ""
	}
	return edit.CheckKeys(entries, at)
}
