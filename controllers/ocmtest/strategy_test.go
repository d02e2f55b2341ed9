package ocmtest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestSecondApply takes kinds to their end and changes a label of each.
func TestSecondApply(t *testing.T) {
	const pods = `"template":{"metadata":{"labels":{"app":"x"}},"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}`
	cases := map[string]struct {
		reason   string
		strategy string
		want     []string // how failures begin, and which uids are new
	}{
		"Update": {"the agent sends what the work says in place of all that was added since", update, []string{
			`Job test/job: Failed to apply manifest: Job.batch "job" is invalid: [spec.selector: Required value`,
			`PersistentVolumeClaim test/claim: Failed to apply manifest: PersistentVolumeClaim "claim" is invalid: spec: Forbidden: spec is immutable`,
			`StorageClass has another uid`}},
		"ServerSideApply": {"the API server merges", applyForced, nil},
		"no force":        {"and needs no force for it", apply, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			manifests := []string{configMap("x", "1"), deployment("i", ""), object("batch/v1", "Job", "job", `"spec":{`+pods+`}`),
				object("v1", "PersistentVolumeClaim", "claim", `"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}`),
				strings.Replace(object("storage.k8s.io/v1", "StorageClass", "NS", `"provisioner":"a.b/c"`), `"namespace":"NS",`, "", 1)}
			s.settle(t, s.work(t, "a", every(tc.strategy), manifests...))
			s.FinishJob(t, s.namespace, "job")
			s.BindClaim(t, s.namespace, "claim")
			before := s.uids(t)
			for i, m := range manifests {
				manifests[i] = strings.Replace(m, `"app":"x"`, `"app":"x","new":"1"`, 1)
			}
			s.Push(t, s.work(t, "a", every(tc.strategy), manifests...))
			got := s.Settle(t)
			for kind, uid := range s.uids(t) {
				if uid != before[kind] {
					got = append(got, kind+" has another uid")
				}
			}
			if len(got) != len(tc.want) {
				t.Fatalf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
			for i, want := range tc.want {
				if !strings.HasPrefix(strings.Replace(got[i], s.namespace, "test", 1), want) {
					t.Errorf("%s: want %q, got %q", tc.reason, want, got[i])
				}
			}
		})
	}
}

// uids are those of the objects of TestSecondApply, by kind. It waits for each: agents delete a StorageClass and create it again
// with every update.
func (s *site) uids(t *testing.T) map[string]string {
	t.Helper()
	uids := map[string]string{}
	for _, o := range [][4]string{{"v1", "ConfigMap", s.namespace, "x"}, {"apps/v1", "Deployment", s.namespace, "web"}, {"batch/v1", "Job", s.namespace, "job"},
		{"v1", "PersistentVolumeClaim", s.namespace, "claim"}, {"storage.k8s.io/v1", "StorageClass", "", s.namespace}} {
		is := s.Get(t, o[0], o[1], o[2], o[3])
		for began := time.Now(); is == nil && time.Since(began) < stepTimeout; time.Sleep(10 * time.Millisecond) {
			is = s.Get(t, o[0], o[1], o[2], o[3])
		}
		if is == nil {
			t.Fatalf("%s %s is gone", o[1], o[3])
		}
		uids[o[1]] = string(is.GetUID())
	}
	return uids
}

// TestLaterStrategy changes an object that was created by one strategy with another: its image, and it removes a label.
func TestLaterStrategy(t *testing.T) {
	conflict := `Deployment test/web: Failed to apply manifest: Apply failed with 1 conflict: conflict with "work-agent" using apps/v1: .spec.template.spec.containers[name="c"].image`
	cases := map[string]struct {
		reason     string
		from, to   string
		image, old string // afterwards; old is the removed label
		want       []string
	}{
		"apply":           {"what was applied server-side goes when the work drops it", applyForced, applyForced, "i:2", "", nil},
		"Update":          {"agents merge labels", update, update, "i:2", "1", nil},
		"Update to apply": {"an API server takes the agent's updates for another's", update, apply, "i:1", "1", []string{conflict}},
		"Update to force": {"force overcomes that; what the updates set stays", update, applyForced, "i:2", "1", nil},
		"CreateOnly":      {"nothing changes", createOnly, createOnly, "i:1", "1", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.settle(t, s.work(t, "a", every(tc.from), strings.Replace(deployment("i:1", ""), `"app":"x"`, `"app":"x","old":"1"`, 1)))
			uid := s.get(t, "apps/v1", "Deployment", "web").GetUID()
			s.Push(t, s.work(t, "a", every(tc.to), deployment("i:2", "")))
			got := s.Settle(t)
			for i := range got {
				got[i] = strings.Replace(got[i], s.namespace, "test", 1)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: failures (-want +got):\n%s", tc.reason, diff)
			}
			web := s.get(t, "apps/v1", "Deployment", "web")
			if image(t, web) != tc.image || web.GetLabels()["old"] != tc.old || web.GetUID() != uid {
				t.Errorf("%s: want image %s and label %q, got %s", tc.reason, tc.image, tc.old, printed(web))
			}
		})
	}
}

// TestReplicas has an autoscaler set replicas, and then a new image come.
func TestReplicas(t *testing.T) {
	ignoring := `{"type":"ServerSideApply","serverSideApply":{"force":true,"ignoreFields":[{"condition":"OnSpokePresent","jsonPaths":[".spec.replicas"]}]}}`
	cases := map[string]struct {
		reason   string
		strategy string
		spec     string
		replicas int64
		image    string
	}{
		"Update, no replicas":  {"what is not said is the default", update, "", 1, "i:2"},
		"apply, no replicas":   {"what is not said is another's", applyForced, "", 7, "i:2"},
		"apply, replicas":      {"force takes what it says", applyForced, `"replicas":3,`, 3, "i:2"},
		"no force, replicas":   {"without it all of the object stays behind", apply, `"replicas":3,`, 7, "i:1"},
		"ignored where it is":  {"a work may say it for the beginning only", ignoring, `"replicas":3,`, 7, "i:2"},
		"Update, with a value": {"the value comes back", update, `"replicas":3,`, 3, "i:2"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.settle(t, s.work(t, "a", every(tc.strategy), deployment("i:1", tc.spec)))
			if err := s.Client.SubResource("scale").Patch(t.Context(), s.get(t, "apps/v1", "Deployment", "web"),
				client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":7}}`)), client.FieldOwner("autoscaler")); err != nil {
				t.Fatalf("scale: %v", err)
			}
			s.Push(t, s.work(t, "a", every(tc.strategy), deployment("i:2", tc.spec)))
			s.Settle(t)
			web := s.get(t, "apps/v1", "Deployment", "web")
			if n, _, _ := unstructured.NestedInt64(web.Object, "spec", "replicas"); n != tc.replicas || image(t, web) != tc.image {
				t.Errorf("%s: want %d of image %s, got %d of %s", tc.reason, tc.replicas, tc.image, n, image(t, web))
			}
		})
	}
}

func image(t *testing.T, deployment *unstructured.Unstructured) string {
	t.Helper()
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) != 1 {
		t.Fatalf("want one container, got %s", printed(deployment))
	}
	return containers[0].(map[string]any)["image"].(string)
}

func printed(o *unstructured.Unstructured) string {
	text, err := json.Marshal(o)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
