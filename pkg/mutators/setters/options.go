package setters

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// Options are those of apply-setters.
type Options struct {
	// Setters are the values by the names of their setters. None is fine: nothing is set.
	Setters map[string]string `json:"setters"`
}

func readValues(config *krm.Object) (map[string]string, error) {
	if config == nil {
		return nil, nil
	}
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		opts.Setters = edit.Texts(entries)
		return nil
	})
	return opts.Setters, err
}
