package namesubstring

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of ensure-name-substring.
type Options struct {
	// Substring is the text that every name must hold. Required.
	Substring string `json:"substring"`
	// EditMode is prepend (the default) or append.
	EditMode string `json:"editMode"`
	// AdditionalNameFields are names beyond metadata.name that must hold it too.
	AdditionalNameFields []edit.FieldSpec `json:"additionalNameFields"`
	// FieldSpecs is the old name of AdditionalNameFields; not both.
	FieldSpecs []edit.FieldSpec `json:"fieldSpecs"`

	fields types.FsSlice
}

// longestName is the length of the longest name in Kubernetes.
const longestName = 253

const modePrepend, modeAppend = "prepend", "append"

func readOptions(config *krm.Object) (Options, error) {
	opts := Options{EditMode: modePrepend}
	err := edit.Decode(config, configKind, &opts, opts.fromData)
	if err != nil {
		return opts, err
	}
	at := edit.EntriesAt(config, "substring")
	if fn.IsConfigMap(config) {
		at = at.Child(opts.EditMode)
	}
	errs := opts.validate(at)
	opts.fields = edit.Specs(append(opts.AdditionalNameFields, opts.FieldSpecs...))
	return opts, errs.ToAggregate()
}

// fromData reads a ConfigMap, whose one key is the mode.
func (opts *Options) fromData(entries []edit.Entry) (errs field.ErrorList) {
	for _, e := range entries {
		if e.Key != modePrepend && e.Key != modeAppend {
			errs = append(errs, edit.Unknown(e, "prepend, append"))
			continue
		}
		opts.EditMode, opts.Substring = e.Key, e.Value
	}
	if len(errs) == 0 && len(entries) > 1 {
		errs = append(errs, field.Forbidden(entries[1].At, "give prepend or append, not both"))
	}
	return errs
}

func (opts *Options) validate(at *field.Path) (errs field.ErrorList) {
	switch {
	case opts.Substring == "":
		errs = append(errs, field.Required(at, "give the text that every name must hold"))
	case len(opts.Substring) > longestName:
		errs = append(errs, field.TooLong(at, "", longestName))
	case strings.ContainsAny(opts.Substring, "/ \t\r\n,"):
		errs = append(errs, field.Invalid(at, opts.Substring, "a name cannot hold it"))
	}
	if opts.EditMode != modePrepend && opts.EditMode != modeAppend {
		errs = append(errs, field.NotSupported(field.NewPath("editMode"), opts.EditMode, []string{modePrepend, modeAppend}))
	}
	errs = append(errs, edit.ValidateFields(opts.AdditionalNameFields, field.NewPath("additionalNameFields"))...)
	errs = append(errs, edit.ValidateFields(opts.FieldSpecs, field.NewPath("fieldSpecs"))...)
	if len(opts.AdditionalNameFields) > 0 && len(opts.FieldSpecs) > 0 {
		errs = append(errs, field.Forbidden(field.NewPath("fieldSpecs"), "is the old name of additionalNameFields; give one of them"))
	}
	return errs
}

// ensure puts the text into a name that does not hold it.
func (r *renamer) ensure(name *yaml.RNode) error {
	n := name.YNode()
	if n.Kind != yaml.ScalarNode {
		return errors.New("want text")
	}
	if !strings.Contains(n.Value, r.opts.Substring) {
		r.setNew(n)
	}
	return nil
}
