package combine

import (
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// readReports puts all reports into the index. ManifestWorks without a status are skipped: those that a package sends may be
// beside the same ones from a hub.
func (s *summarizer) readReports() {
	s.index = reports.New(s.opts.WDSName)
	sources := map[reports.Source]*krm.Object{}
	elsewhere := map[string]int{}
	for _, o := range s.reporters() {
		source := reports.Source{Kind: reports.Kind(o.Kind()), Namespace: o.Namespace(), Name: o.Name()}
		if old := sources[source]; old != nil {
			s.report(sdk.Error, o, field.NewPath("metadata", "name"), "the same object occurs twice, also as %s; keep one", old.Describe())
			continue
		}
		sources[source] = o
		data, err := krm.Value(o.Node())
		if err == nil {
			_, err = s.index.Put(asMap(data))
		}
		if err != nil {
			s.report(sdk.Error, o, nil, "%v", err)
		}
		switch space, labelled := o.Labels()[reports.OriginLabel]; {
		case labelled && s.opts.WDSName != "" && space != s.opts.WDSName:
			elsewhere[space]++
		case labelled:
			s.named++
			s.counted++
		default:
			s.counted++
		}
	}
	s.spaces = slices.Sorted(maps.Keys(elsewhere))
	s.warnOfLists()
	for _, w := range s.index.Warnings() {
		s.report(sdk.Warning, sources[w.Source], nil, "%s", w.Text)
	}
	for _, space := range slices.Sorted(maps.Keys(elsewhere)) {
		s.report(sdk.Info, nil, nil, "reports about workload space %q are left out, since wdsName is %q: %d", space,
			s.opts.WDSName, elsewhere[space])
	}
}

// reporters are the objects that report, in an order that does not depend on that of the items.
func (s *summarizer) reporters() (out []*krm.Object) {
	for _, o := range s.given {
		if saysSomething(o.Group(), o.Kind(), o.Head()) {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, workload.Compare)
	return out
}

// saysSomething reports whether an object of a kind reports; a ManifestWork without a status was only sent.
func saysSomething(group, kind string, object *yaml.Node) bool {
	return reports.Reports(group, kind) && (reports.Kind(kind) != reports.ManifestWork || krm.Lookup(object, "status") != nil)
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
