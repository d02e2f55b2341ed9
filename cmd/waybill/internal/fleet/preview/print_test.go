package preview

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// TestGrouped names the group of a kind that two groups have, and of no other.
func TestGrouped(t *testing.T) {
	p := &waybillapi.FleetPreview{}
	for _, o := range []waybillapi.PreviewObject{{Group: "a.com", Kind: "X"}, {Group: "b.com", Kind: "X"}, {Group: "apps", Kind: "Deployment"}, {Kind: "Event"}, {Group: "events.k8s.io", Kind: "Event"}} {
		p.Groups = append(p.Groups, waybillapi.PreviewGroup{Object: o})
	}
	var got []string
	for _, g := range grouped(p).Groups {
		got = append(got, g.Object.Kind)
	}
	if diff := cmp.Diff([]string{"X.a.com", "X.b.com", "Deployment", "Event", "Event.events.k8s.io"}, got); diff != "" || p.Groups[0].Object.Kind != "X" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
