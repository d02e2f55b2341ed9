package binding

import (
	"errors"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options of bind-resolve.
type Options struct {
	// AllowEmptyInventory accepts an inventory without clusters. Defaults to false.
	AllowEmptyInventory bool `json:"allowEmptyInventory"`
	// AllowEmptySelection accepts that a policy selects no cluster or no object although its earlier Binding
	// names some. Defaults to false. An annotation allows it for one policy: see package selection.
	AllowEmptySelection bool `json:"allowEmptySelection"`
	// MaxClusters is the most clusters that one policy may select, at least 1. Without it there is no limit.
	MaxClusters *int `json:"maxClusters"`
	// MaxObjects is the most objects that one policy may select, at least 1. Without it there is no limit.
	MaxObjects *int `json:"maxObjects"`
	// Resources are plurals and scopes of kinds: Kind.group=plural[,Cluster|Namespaced].
	Resources []string `json:"resources"`
}

// otherErrors are the errors besides err, the error in the config. They do not depend on its options: the user still
// has them after a correction of the config.
func otherErrors(in *fn.Input, opts Options, err error) (errs sdk.Results) {
	opts.AllowEmptyInventory, opts.AllowEmptySelection = true, true
	for _, r := range newResolver(in, opts).results {
		if r.Severity == sdk.Error && (r.Field == nil || !isAt(err, r.Field.Path)) {
			errs = append(errs, r)
		}
	}
	return errs
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
		at := fn.OptionsPath(r.config).Child(option)
		r.add(fn.FieldErrors(r.config, field.ErrorList{field.Invalid(at, *limit, "want at least 1; leave it out for no limit")}))
	}
}

// resourceErrors are the errors about names of kinds; those of the option have its path in the config.
func (r *resolver) resourceErrors(errs field.ErrorList) (results sdk.Results) {
	for _, e := range errs {
		var o *krm.Object
		if entry, ok := strings.CutPrefix(e.Field, "resources"); ok {
			o, e.Field = r.config, fn.OptionsPath(r.config).Child("resources").String()+entry
		}
		results = append(results, fn.FieldErrors(o, field.ErrorList{e})...)
	}
	return results
}
