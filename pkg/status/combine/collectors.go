package combine

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
)

// readCollectors compiles every StatusCollector. One that is invalid is as good as none, and a warning.
func (s *surveyor) readCollectors() {
	s.collectors = status.NewCollectors()
	first := map[string]*krm.Object{}
	for _, o := range s.ofKind(control.Group, control.KindStatusCollector) {
		if old := first[o.Name()]; old != nil {
			s.report(sdk.Error, o, field.NewPath("metadata", "name"), "two StatusCollectors have this name, also %s", old.Describe())
			continue
		}
		first[o.Name()] = o
		c, errs := control.DecodeStatusCollector(o)
		if len(errs) > 0 {
			s.fault(o, sdk.Warning, errs)
			continue
		}
		_, faults := s.collectors.Put(c)
		for _, fault := range faults {
			s.report(sdk.Warning, o, field.NewPath("spec"), "%s", fault)
		}
	}
}
