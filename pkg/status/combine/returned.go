package combine

import (
	"cmp"
	"errors"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// returnStatuses warns about Bindings that request the singleton status of objects that not exactly one cluster has, and
// returns statuses into objects if the options say so. Collectors see objects as they are afterwards, so that the next run
// sees the same.
func (s *summarizer) returnStatuses() {
	s.returned = map[*krm.Object]*krm.Object{}
	wants := writeback.Resolve(s.selections())
	about := map[string]*krm.Object{}
	for _, b := range s.bindings {
		about[b.name] = b.object
	}
	for _, err := range wants.Errors() {
		s.report(sdk.Warning, about[err.Policy], field.NewPath("spec", "workload"), "%s", err.Text)
	}
	if !s.opts.WriteStatus {
		return
	}
	for i, o := range s.given {
		if !workload.IsWorkload(o) || !s.kinds.Selectable(o) {
			continue
		}
		if with := s.withStatus(o, wants); with != nil {
			s.returned[o], s.out.Items[i] = with, with
		}
	}
}

// selections are what Bindings request.
func (s *summarizer) selections() (out []writeback.Selection) {
	for _, b := range s.bindings {
		selection := writeback.Selection{Policy: b.name, Destinations: b.destinations}
		for _, e := range b.entries {
			selection.Objects = append(selection.Objects, writeback.Selected{
				Object: e.identity(), Singleton: e.wants.WantSingletonReportedState, Multi: e.wants.WantMultiWECReportedState,
			})
		}
		out = append(out, selection)
	}
	return out
}

// withStatus is a copy of an object with its returned status; nil when the object has it already.
func (s *summarizer) withStatus(o *krm.Object, wants *writeback.Wants) *krm.Object {
	id := s.identityOf(o)
	object, err := writeback.ObjectIn(id, o)
	if err != nil {
		s.report(sdk.Error, o, field.NewPath("status"), "%v", cmp.Or(errors.Unwrap(err), err))
		return nil
	}
	d := writeback.Decide(object, wants.Of(id), s.index.Of(id), writeback.Options{StrictCounters: s.opts.StrictCounters})
	if !d.Changed {
		return nil
	}
	with := o.DeepCopy()
	if err := writeback.Edit(with, d); err != nil {
		s.report(sdk.Error, o, field.NewPath("status"), "%v", err)
		return nil
	}
	return with
}
