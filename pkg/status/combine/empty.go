package combine

import (
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// reportEmpty refuses to delete the CombinedStatuses of an earlier run when there is no Binding at all, and warns if wdsName
// leaves out every report, or every report that names a space. No reports, or a filter that keeps none, may be right: a result
// shows it, and stays.
func (s *summarizer) reportEmpty() {
	earlier := 0
	for _, o := range s.given {
		if o.Annotation(fn.GeneratedBy) == Name {
			earlier++
		}
	}
	if len(s.ofKind(control.KindBinding)) == 0 {
		if earlier > 0 && !s.opts.AllowEmptySelection {
			s.report(sdk.Error, nil, nil, "there is no Binding, but %s of an earlier run would be deleted; restore the Bindings, or %s",
				statuses(earlier), selection.SetOption)
		}
		return
	}
	switch {
	case s.named > 0 || len(s.spaces) == 0:
	case s.counted == 0:
		s.out.LeftOut = s.spaces
		s.report(sdk.Warning, nil, field.NewPath("wdsName"), "%q leaves out every report%s", s.opts.WDSName, s.nearSpaces())
	default:
		s.report(sdk.Warning, nil, field.NewPath("wdsName"), "no report names %q%s", s.opts.WDSName, s.nearSpaces())
	}
}

// statuses counts CombinedStatuses in words.
func statuses(n int) string {
	if n == 1 {
		return "1 CombinedStatus"
	}
	return fmt.Sprintf("%d CombinedStatuses", n)
}

// nearSpaces suggests workload spaces that have reports and names like wdsName; any, if none is like it.
func (s *summarizer) nearSpaces() string {
	near := selection.Similar(s.opts.WDSName, s.spaces)
	if len(near) == 0 {
		near = s.spaces[:min(len(s.spaces), 3)]
	}
	return "; similar: " + strings.Join(near, " or ")
}

// nearCollectors suggests existing collectors with similar names.
func (s *summarizer) nearCollectors(names []string) string {
	var near []string
	for _, name := range names {
		near = append(near, selection.Similar(name, s.collectors.Names())...)
	}
	slices.Sort(near)
	near = slices.DeleteFunc(slices.Compact(near), func(name string) bool { return slices.Contains(names, name) })
	if len(near) == 0 {
		return ""
	}
	return "; similar: " + strings.Join(near, " or ")
}
