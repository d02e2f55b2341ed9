package packagevariant

import (
	"context"
	"errors"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// apiServer holds one PackageVariant.
type apiServer struct {
	client.Reader
	pv porchconfig.PackageVariant
}

func (s *apiServer) Get(_ context.Context, _ client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	s.pv.DeepCopyInto(into.(*porchconfig.PackageVariant))
	return nil
}

// wroteStatus is a record of a write of status fields.
func wroteStatus(manager, fields string, at time.Time) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, Subresource: "status",
		Time: new(metav1.NewTime(at)), FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:status":{` + fields + `}}`)}
}

// statusOf is a PackageVariant with a message in its status, as of a version.
func statusOf(version, message string, writes ...metav1.ManagedFieldsEntry) porchconfig.PackageVariant {
	pv := porchconfig.PackageVariant{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: "eu", ResourceVersion: version, ManagedFields: writes}}
	pv.Status.Conditions = []metav1.Condition{{Type: "Ready", Message: message}}
	return pv
}

func TestContests(t *testing.T) {
	const all, ready, others = `"f:conditions":{}`, `"f:conditions":{"k:{\"type\":\"Ready\"}":{}}`, `"f:conditions":{"k:{\"type\":\"Synced\"}":{}}`
	ours := wroteStatus("waybill", all, then)
	for name, tc := range map[string]struct {
		reason string
		server porchconfig.PackageVariant
		want   string
	}{
		"alone":      {"the status is ours", statusOf("1", "ours", ours), ""},
		"same":       {"another wrote the same", statusOf("2", "ours", ours, wroteStatus("porch-controllers", all, then)), ""},
		"later":      {"another wrote after us", statusOf("2", "theirs", wroteStatus("porch-controllers", all, then.Add(time.Hour))), "porch-controllers"},
		"one second": {"records have seconds: both wrote in the same one", statusOf("2", "theirs", ours, wroteStatus("porch-controllers", ready, then)), "porch-controllers"},
		"targets":    {"the revisions are a controller's, too", statusOf("2", "theirs", ours, wroteStatus("porch-controllers", `"f:downstreamTargets":{}`, then)), "porch-controllers"},
		"earlier":    {"another worked it before us, and a cache is behind", statusOf("2", "theirs", wroteStatus("porch-controllers", all, then.Add(-time.Second)), ours), ""},
		"condition":  {"a condition of its own is no contest", statusOf("2", "theirs", ours, wroteStatus("argocd", others, then.Add(time.Hour))), ""},
		"latest":     {"of two others the last one is named", statusOf("2", "theirs", wroteStatus("b", all, then.Add(2*time.Hour)), wroteStatus("a", all, then.Add(time.Hour))), "b"},
		"spec":       {"a user who changes the spec writes no status", statusOf("2", "theirs", ours, metav1.ManagedFieldsEntry{Manager: "kubectl", Time: new(metav1.NewTime(now))}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newContests(&apiServer{pv: tc.server}, Options{})
			c.now = func() time.Time { return now }
			wrote := statusOf("1", "ours", ours)
			if err := c.check(t.Context(), &tc.server); err != nil {
				t.Errorf("before this process wrote anything nothing is known; got %v", err)
			}
			c.record(&wrote)
			end := c.begin(client.ObjectKeyFromObject(&wrote))
			if c.overwritten(&tc.server) {
				t.Error("an event during a write of this process may be that write's")
			}
			end()
			var other *contestedError
			if errors.As(c.check(t.Context(), &tc.server), &other); other == nil && tc.want != "" || other != nil && other.manager != tc.want {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, other)
			}
			if c.forget(client.ObjectKeyFromObject(&wrote)); c.overwritten(&tc.server) {
				t.Error("a variant that was deleted is forgotten")
			}
		})
	}
}

// TestContestPauses doubles the pause for as long as another controller writes, and starts over after a long silence.
func TestContestPauses(t *testing.T) {
	theirs := statusOf("2", "theirs", wroteStatus("porch-controllers", `"f:conditions":{}`, then.Add(time.Hour)))
	c := newContests(&apiServer{pv: theirs}, Options{Options: repository.Options{FirstRetry: time.Second}, LastRetry: 5 * time.Minute})
	if c.first != 10*time.Second {
		t.Errorf("the first pause is %s", c.first)
	}
	clock, at := now, client.ObjectKeyFromObject(&theirs)
	c.now = func() time.Time { return clock }
	ours := statusOf("1", "ours", wroteStatus("waybill", `"f:conditions":{}`, then))
	c.record(&ours)
	for _, want := range []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, 80 * time.Second, 160 * time.Second, 5 * time.Minute, 5 * time.Minute} {
		if c.paused(at) || c.check(t.Context(), &theirs) == nil {
			t.Fatalf("a look at the end of a pause finds the other")
		}
		clock = clock.Add(want - time.Second)
		if !c.paused(at) || c.overwritten(&theirs) {
			t.Errorf("want a pause of %s, in which nothing wakes the controller", want)
		}
		clock = clock.Add(time.Second)
	}
	clock = clock.Add(time.Hour)
	if err := c.check(t.Context(), &theirs); err == nil || c.pauses[at].took != c.first {
		t.Errorf("after an hour of silence the first pause is %s, got %s", c.first, c.pauses[at].took)
	}
}
