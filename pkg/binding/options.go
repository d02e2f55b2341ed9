package binding

import (
	"errors"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// Options of bind-resolve.
type Options struct {
	// AllowEmptyInventory accepts that there are no clusters. Default false.
	AllowEmptyInventory bool `json:"allowEmptyInventory"`
	// AllowEmptySelection accepts that a policy selects no cluster or no object where its earlier Binding
	// names some. Default false. One policy may say so by annotation: see package selection.
	AllowEmptySelection bool `json:"allowEmptySelection"`
	// MaxClusters is the most clusters one policy may select, at least 1. Absent: no limit.
	MaxClusters *int `json:"maxClusters"`
	// MaxObjects is the most objects one policy may select, at least 1. Absent: no limit.
	MaxObjects *int `json:"maxObjects"`
	// Resources teach plurals and scopes of kinds: Kind.group=plural[,Cluster|Namespaced].
	Resources []string `json:"resources"`
}

// otherFaults is what is wrong besides err, for which a config cannot be read as a whole, whatever
// the rest of the options will be: none of it goes away when the config is mended.
func otherFaults(in *fn.Input, opts Options, err error) (faults sdk.Results) {
	opts.AllowEmptyInventory, opts.AllowEmptySelection = true, true
	for _, r := range newResolver(in, opts).results {
		if r.Severity == sdk.Error && (r.Field == nil || !isAt(err, r.Field.Path)) {
			faults = append(faults, r)
		}
	}
	return faults
}

// isAt reports whether err, or one of those it joins, is about a field.
func isAt(err error, path string) bool {
	if many, ok := errors.AsType[utilerrors.Aggregate](err); ok {
		return slices.ContainsFunc(many.Errors(), func(e error) bool { return isAt(e, path) })
	}
	var one *field.Error
	return errors.As(err, &one) && one.Field == path
}

func (r *resolver) checkLimit(option string, limit *int) {
	if limit != nil && *limit < 1 {
		r.fault(r.config, field.ErrorList{field.Invalid(r.optionPath(option), *limit, "want at least 1; leave it out for no limit")})
	}
}

// optionPath is where an option stands in the config.
func (r *resolver) optionPath(option string) *field.Path {
	if r.config.Kind() == "ConfigMap" {
		return field.NewPath("data", option)
	}
	return field.NewPath("spec", option)
}

// faultsOfResources are the errors about names of kinds, entries of the option at their place in
// the config.
func (r *resolver) faultsOfResources(errs field.ErrorList) (faults sdk.Results) {
	for _, e := range errs {
		if entry, ok := strings.CutPrefix(e.Field, "resources"); ok {
			e.Field = r.optionPath("resources").String() + entry
			faults = append(faults, faultOf(r.config, e))
		} else {
			faults = append(faults, faultOf(nil, e))
		}
	}
	return faults
}
