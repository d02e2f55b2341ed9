package reports

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	workv1 "open-cluster-management.io/api/work/v1"
)

// TestHandOver has a work that hands its Deployment over to another, and can no longer apply it.
func TestHandOver(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, handOver string
		want             State
	}{
		"Held":      {"the work holds the object", "", Failed},
		"Handed":    {"another work holds it, which says how it is", "1", NotReported},
		"Nonsense":  {"an annotation that is not valid hides no failure", "all", Failed},
		"TooMany":   {"nor does more than there is", "3", Failed},
		"OtherOnly": {"nor is another manifest this one", "0", Failed},
	} {
		t.Run(name, func(t *testing.T) {
			w := work(deploymentMeta, nil, nil, failedOf(immutable, 0))
			w.Annotations = map[string]string{"waybill.dev/hand-over": tc.handOver}
			for _, text := range []string{
				`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":"web"}}`,
				`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop","name":"web"}}`,
			} {
				w.Spec.Workload.Manifests = append(w.Spec.Workload.Manifests, workv1.Manifest{RawExtension: runtime.RawExtension{Raw: []byte(text)}})
			}
			x := indexOf(t, "", plain(t, &w))
			if got := x.Of(web).In(w.Namespace).Manifest.State; got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}
