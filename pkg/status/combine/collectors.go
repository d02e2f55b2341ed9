package combine

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
)

// readCollectors compiles every StatusCollector. An invalid one counts as missing, and is a warning. An unknown field does
// not make it invalid: API servers drop it.
func (s *summarizer) readCollectors() {
	s.collectors = status.NewCollectors()
	first := map[string]*krm.Object{}
	for _, o := range s.ofKind(control.KindStatusCollector) {
		if old := first[o.Name()]; old != nil {
			s.report(sdk.Error, o, field.NewPath("metadata", "name"), "two StatusCollectors have this name, also %s", old.Describe())
			continue
		}
		first[o.Name()] = o
		c, errs := control.DecodeStatusCollector(o)
		if errs = s.withoutUnknown(o, errs); len(errs) > 0 {
			s.fault(o, sdk.Warning, errs)
			continue
		}
		_, faults := s.collectors.Put(c)
		for _, fault := range faults {
			s.report(sdk.Warning, o, field.NewPath("spec"), "%s", fault)
		}
	}
}

// withoutUnknown removes the errors about unknown fields of a StatusCollector. Each is a warning: it may be misspelt.
func (s *summarizer) withoutUnknown(o *krm.Object, errs field.ErrorList) field.ErrorList {
	if len(errs) == 0 {
		return nil
	}
	unknown := map[string]bool{}
	for _, err := range krm.UnknownFields(o.Node(), nil, &control.StatusCollector{}) {
		unknown[err.Field] = true
	}
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		drop := err.Type == field.ErrorTypeForbidden && unknown[err.Field]
		if drop {
			s.report(sdk.Warning, o, field.NewPath(err.Field), "unknown field, which is ignored; remove it, or correct its name")
		}
		return drop
	})
}
