// Package setlabels is the function set-labels: it sets labels on objects, on the pods and claims that
// they make, and in the selectors of those.
//
// Shape: labels and items in; per item a copy with the labels, the item itself where it has them
// all. Which fields hold labels is a table (fields.go).
// Cost: one copy of every object that is no local configuration, one walk along the paths for its
// kind.
// Errors: a config that names no labels or unknown options; per object, a field that should hold
// labels and holds something else; then the object does not change.
// Source: the README of set-labels in krm-functions-catalog, and the behaviour of its v0.2 (Function) and v0.1 (V01).
package setlabels

import (
	"cmp"
	"context"
	_ "embed" // for the README
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed set-labels.md
var readme string

// legacyKind is the old name of configKind.
const functionName, configKind, legacyKind = "set-labels", "SetLabels", "SetLabelConfig"

// Function is set-labels.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Options are those of set-labels.
type Options struct {
	// Labels are set on every object that is no local configuration. At least one.
	Labels map[string]string `json:"labels"`
	// AdditionalLabelFields are maps of labels beyond those that every package has.
	AdditionalLabelFields []edit.FieldSpec `json:"additionalLabelFields"`
	// FieldSpecs is the old name of AdditionalLabelFields; not both.
	FieldSpecs []edit.FieldSpec `json:"fieldSpecs"`
}

func (o Options) additional() types.FsSlice {
	return edit.Specs(append(o.AdditionalLabelFields, o.FieldSpecs...))
}

// Run sets the labels. Local configuration is handed on as it is.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	opts, err := readOptions(in.Config)
	if err != nil {
		return nil, err
	}
	label := labeller(ctx, opts)
	return edit.EachObject(ctx, in, edit.ReachOf("spec").Along(opts.additional()),
		func(o *krm.Object, n *yaml.RNode) error {
			if o.IsLocalConfig() {
				return nil
			}
			return label(n)
		})
}

func readOptions(config *krm.Object) (Options, error) {
	var opts Options
	err := edit.Decode(config, edit.KindOf(config, configKind, legacyKind), &opts, func(entries []edit.Entry) field.ErrorList {
		opts.Labels = edit.Texts(entries)
		return nil
	})
	if err != nil {
		return opts, err
	}
	errs := edit.CheckKeys(opts.Labels, edit.EntriesAt(config, "labels"))
	errs = append(errs, edit.ValidateFields(opts.AdditionalLabelFields, field.NewPath("additionalLabelFields"))...)
	errs = append(errs, edit.ValidateOldName(opts.FieldSpecs, "fieldSpecs", opts.AdditionalLabelFields, "additionalLabelFields")...)
	return opts, errs.ToAggregate()
}

// labeller returns the edit of every object.
func labeller(ctx context.Context, opts Options) func(*yaml.RNode) error {
	all := edit.NewTextMap(opts.Labels, edit.DropQuotes)
	setInside := func(template *yaml.RNode) error { return inMetadata(template, all.Set) }
	additional := opts.additional()
	return func(o *yaml.RNode) error {
		of := tablesOf(o)
		return cmp.Or(
			edit.AtFields(ctx, o, of.labels, yaml.MappingNode, all.Set),
			edit.AtFields(ctx, o, of.templates, yaml.MappingNode, setInside),
			edit.AtFields(ctx, o, of.selectors, yaml.MappingNode, all.Replace),
			edit.AtFields(ctx, o, additional, yaml.MappingNode, all.Set),
		)
	}
}

// inMetadata sets the labels of a template, or of every template of a list.
func inMetadata(template *yaml.RNode, set func(*yaml.RNode) error) error {
	switch {
	case yaml.IsMissingOrNull(template):
		return nil
	case template.YNode().Kind == yaml.SequenceNode:
		return template.VisitElements(func(t *yaml.RNode) error { return inMetadata(t, set) })
	case template.YNode().Kind != yaml.MappingNode:
		return errors.New("want a map")
	}
	labels, err := template.Pipe(yaml.LookupCreate(yaml.MappingNode, "metadata", "labels"))
	if err != nil {
		return edit.Fault("metadata.labels", "want a map")
	}
	return set(labels)
}
