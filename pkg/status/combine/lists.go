package combine

import (
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// warnOfLists warns about reports in a List, as kubectl prints several objects: functions do not unpack lists, so these
// clusters would seem silent.
func (s *summarizer) warnOfLists() {
	for _, o := range s.given {
		if !strings.HasSuffix(o.Kind(), "List") {
			continue
		}
		if n := reportsIn(o); n > 0 {
			s.report(sdk.Warning, o, field.NewPath("items"),
				"the function does not read the reports in a %s, here %d; make each a document of its own, with %q between them", o.Kind(), n, "---")
		}
	}
}

// reportsIn counts the reports in a list: one of any objects, or one of a kind that reports, whose items need not have a
// kind.
func reportsIn(list *krm.Object) (n int) {
	group, kind := list.Group(), strings.TrimSuffix(list.Kind(), "List")
	typed, items := reports.Reports(group, kind), list.Lookup("items")
	if items == nil || items.Kind != yaml.SequenceNode || !typed && (list.APIVersion() != "v1" || kind != "") {
		return 0
	}
	for _, item := range items.Content {
		if item = krm.Deref(item); item.Kind != yaml.MappingNode {
			continue
		}
		if part := krm.FromNode(item); !typed {
			group, kind = part.Group(), part.Kind()
		}
		if saysSomething(group, kind, item) {
			n++
		}
	}
	return n
}
