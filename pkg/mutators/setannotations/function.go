// Package setannotations is the function set-annotations: it sets annotations on objects and on their
// templates of pods and jobs.
//
// Shape: annotations and items in; per item a copy with the annotations, the item itself where it
// has them all. Which fields hold annotations is a table (standard).
// Cost: one copy of every object, one walk along the paths for its kind.
// Errors: a config that names no annotations, or reserved ones, or unknown
// options; per object, a field that should hold annotations and holds something else.
// Source: the README of set-annotations in krm-functions-catalog; kustomize's field specs.
package setannotations

import (
	"cmp"
	"context"
	_ "embed" // for the README

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed set-annotations.md
var readme string

// legacyKind is the old name of configKind.
const functionName, configKind, legacyKind = "set-annotations", "SetAnnotations", "SetAnnotationConfig"

// Function is set-annotations.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Options are those of set-annotations.
type Options struct {
	// Annotations are set on every object. At least one.
	Annotations map[string]string `json:"annotations"`
	// AdditionalAnnotationFields are maps of annotations beyond those that every package has.
	AdditionalAnnotationFields []edit.FieldSpec `json:"additionalAnnotationFields"`
	// FieldSpecs is the old name of AdditionalAnnotationFields; not both.
	FieldSpecs []edit.FieldSpec `json:"fieldSpecs"`
}

// Run sets the annotations, on local configuration too.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	all := edit.NewTextMap(opts.Annotations, edit.KeepQuotes)
	additional := edit.Specs(append(opts.AdditionalAnnotationFields, opts.FieldSpecs...))
	return edit.Each(ctx, in, edit.ReachOf().Along(standard).Along(additional), func(o *yaml.RNode) error {
		return cmp.Or(
			edit.AtFields(ctx, o, standard, yaml.MappingNode, all.Set),
			edit.AtFields(ctx, o, additional, yaml.MappingNode, all.Set),
		)
	})
}

func readOptions(config *krm.Object) (Options, error) {
	var opts Options
	err := edit.Decode(config, edit.KindOf(config, configKind, legacyKind), &opts, func(entries []edit.Entry) field.ErrorList {
		opts.Annotations = edit.Texts(entries)
		return nil
	})
	if err != nil {
		return opts, err
	}
	errs := edit.CheckKeys(opts.Annotations, edit.EntriesAt(config, "annotations"))
	errs = append(errs, edit.ValidateFields(opts.AdditionalAnnotationFields, field.NewPath("additionalAnnotationFields"))...)
	errs = append(errs, edit.ValidateOldName(opts.FieldSpecs, "fieldSpecs", opts.AdditionalAnnotationFields, "additionalAnnotationFields")...)
	return opts, errs.ToAggregate()
}

// standard are the maps that get every annotation; missing ones are made.
var standard = types.FsSlice{
	annotations("", "", "", "metadata"),
	annotations("", "v1", "ReplicationController", "spec/template/metadata"),
	annotations("", "", "Deployment", "spec/template/metadata"),
	annotations("", "", "ReplicaSet", "spec/template/metadata"),
	annotations("", "", "DaemonSet", "spec/template/metadata"),
	annotations("", "", "StatefulSet", "spec/template/metadata"),
	annotations("batch", "", "Job", "spec/template/metadata"),
	annotations("batch", "", "CronJob", "spec/jobTemplate/metadata"),
	annotations("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata"),
}

func annotations(group, version, kind, metadata string) types.FieldSpec {
	return types.FieldSpec{
		Gvk:  resid.Gvk{Group: group, Version: version, Kind: kind},
		Path: metadata + "/annotations", CreateIfNotPresent: true,
	}
}
