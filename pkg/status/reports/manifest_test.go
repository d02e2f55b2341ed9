package reports

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	workv1 "open-cluster-management.io/api/work/v1"
)

// The conditions as agents write them.
var (
	exists = metav1.Condition{Type: "Available", Status: "True", Reason: "ResourceAvailable", Message: "Resource is available"}
	gone   = metav1.Condition{Type: "Available", Status: "False", Reason: "ResourceNotAvailable", Message: "Resource is not available"}
	unread = metav1.Condition{Type: "Available", Status: "Unknown", Reason: "FetchingResourceFailed", Message: "Failed to fetch resource: forbidden"}
)

func appliedOf(generation int64) metav1.Condition {
	return metav1.Condition{Type: "Applied", Status: "True", Reason: "AppliedManifestComplete", Message: "Apply manifest complete", ObservedGeneration: generation}
}

func failedOf(message string, generation int64) metav1.Condition {
	return metav1.Condition{Type: "Applied", Status: "False", Reason: "AppliedManifestFailed", Message: "Failed to apply manifest: " + message, ObservedGeneration: generation}
}

const immutable = `Deployment.apps "web" is invalid: spec.selector: field is immutable`

// TestState reads what became of an object off the conditions of its manifest.
func TestState(t *testing.T) {
	plainOf := func(conditions ...metav1.Condition) workv1.ManifestWork {
		return work(deploymentMeta, nil, []workv1.FeedbackValue{integerOf("ReadyReplicas", 3)}, conditions...)
	}
	at := func(generation int64, w workv1.ManifestWork) workv1.ManifestWork {
		w.Generation = generation
		return w
	}
	seenAt := func(observed int64, w workv1.ManifestWork) workv1.ManifestWork {
		w.Status.Conditions = []metav1.Condition{{Type: "Applied", Status: "True", ObservedGeneration: observed}}
		return w
	}
	old := "the report is about generation 4 of the work, which is at generation 5"
	cases := map[string]struct {
		reason         string
		work           workv1.ManifestWork
		state          State
		message        string
		known, current bool
	}{
		"Applied":       {"the cluster has what was sent", at(5, plainOf(appliedOf(5), exists)), Applied, "", true, true},
		"NotLooked":     {"it was applied, and the agent has not looked yet", at(5, plainOf(appliedOf(5))), Applied, "", true, true},
		"Failed":        {"the old object exists and reports; the present one does not", at(5, plainOf(failedOf(immutable, 5), exists)), Failed, immutable, false, false},
		"FailedNew":     {"there is no object at all", at(5, plainOf(failedOf(immutable, 5), gone)), Failed, immutable, false, false},
		"FailedOld":     {"the present generation was not tried yet, and nothing says that it will do better", at(5, plainOf(failedOf(immutable, 4), exists)), Failed, immutable + " (" + old + ")", false, false},
		"NoMessage":     {"an agent that says no more than that it failed", plainOf(metav1.Condition{Type: "Applied", Status: "False", Reason: "AppliedManifestFailed"}), Failed, "AppliedManifestFailed", false, false},
		"NoReason":      {"or not even that", plainOf(metav1.Condition{Type: "Applied", Status: "False"}), Failed, "no reason is given", false, false},
		"Lines":         {"a message is one line", plainOf(failedOf("a\n\tb", 0)), Failed, "a b", false, false},
		"Long":          {"and no longer than one reads", plainOf(failedOf(strings.Repeat("ä", 1000), 0)), Failed, strings.Repeat("ä", 512) + "...", false, false},
		"Missing":       {"the feedback is that of the object that was", at(5, plainOf(appliedOf(5), gone)), Missing, "Resource is not available", false, false},
		"Stale":         {"the agent has not seen the present generation", at(5, plainOf(appliedOf(4), exists)), Stale, old, true, false},
		"StaleWork":     {"an agent that says so of the work alone", at(5, seenAt(4, plainOf(appliedOf(0), exists))), Stale, old, true, false},
		"NoGeneration":  {"a work in a file does not tell its generation", plainOf(appliedOf(4), exists), Applied, "", true, true},
		"NotObserved":   {"an agent that does not tell what it saw", at(5, plainOf(appliedOf(0), exists)), Applied, "", true, true},
		"Unread":        {"the agent may not read the object", at(5, plainOf(appliedOf(5), unread)), Unknown, "Failed to fetch resource: forbidden", true, false},
		"UnknownApply":  {"nor does it know whether it applied it", plainOf(metav1.Condition{Type: "Applied", Status: "Unknown", Reason: "Waiting"}), Unknown, "Waiting", true, false},
		"NoConditions":  {"feedback alone is a report", plainOf(), NotReported, "", true, true},
		"OwnConditions": {"what rules of the work conclude is no state", plainOf(conditionOf("Progressing", "False"), conditionOf("Degraded", "True")), NotReported, "", true, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := indexOf(t, "git", plain(t, tc.work)).Of(web).In("edge1")
			type row struct {
				State          State
				Message        string
				Known, Current bool
			}
			want := row{tc.state, tc.message, tc.known, tc.current}
			if diff := cmp.Diff(want, row{got.Manifest.State, got.Manifest.Message, got.Known, got.Current()}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if known := got.Status["readyReplicas"] == int64(3) && got.Fields["readyReplicas"] == int64(3); known != tc.known {
				t.Errorf("%s: the status is %v", tc.reason, got.Status)
			}
			if got.Manifest.Feedback["ReadyReplicas"] != int64(3) {
				t.Errorf("%s: the feedback is %v", tc.reason, got.Manifest.Feedback)
			}
		})
	}
}

// TestPending has works whose agent has not reported about the manifest: nothing yet, nothing that it did itself, or nothing any more.
func TestPending(t *testing.T) {
	deleted := work(deploymentMeta, nil, []workv1.FeedbackValue{integerOf("ReadyReplicas", 3)}, appliedOf(5), exists)
	deleted.DeletionTimestamp = &metav1.Time{Time: time.Unix(1700000000, 0)}
	for name, tc := range map[string]struct {
		reason string
		work   workv1.ManifestWork
		known  bool
	}{
		"Nothing":   {"the agent has listed the manifest and done nothing", work(deploymentMeta, nil, nil), false},
		"Exists":    {"the object of another is there, and the agent has not applied the manifest", work(deploymentMeta, nil, nil, exists), false},
		"Applied":   {"that it was applied is a report, without feedback, too", work(deploymentMeta, nil, nil, appliedOf(5)), true},
		"BeDeleted": {"an agent updates nothing of a work that is being deleted", deleted, false},
	} {
		t.Run(name, func(t *testing.T) {
			obj := plain(t, tc.work)
			x := indexOf(t, "git", obj)
			if got := x.Of(web).In("edge1"); got.Known != tc.known || got.Status != nil {
				t.Errorf("%s: known %t, status %v", tc.reason, got.Known, got.Status)
			}
			checkLaws(t, x, []map[string]any{obj})
		})
	}
}

// named gives a work another name, and an object that is not mapped no resource.
func named(name string, unmapped bool, w workv1.ManifestWork) workv1.ManifestWork {
	if w.Name = name; unmapped {
		w.Status.ResourceStatus.Manifests[0].ResourceMeta.Resource = ""
	}
	return w
}

// TestSeveralSources wants what works say beside a WorkStatus, and the worst of several works.
func TestSeveralSources(t *testing.T) {
	good := work(deploymentMeta, nil, []workv1.FeedbackValue{integerOf("ReadyReplicas", 1)}, appliedOf(0), exists)
	bad := work(deploymentMeta, nil, []workv1.FeedbackValue{integerOf("ReadyReplicas", 3)}, failedOf(immutable, 0), exists)
	worse := work(deploymentMeta, nil, nil, failedOf("other", 0), exists)
	status := objects(t, workStatus("edge1", "a", ", status: {readyReplicas: 2}"))[0]
	behind := objects(t, workStatus("edge1", "a", ", status: {readyReplicas: 2}, statusDetails: {lastGeneration: 7, lastGenerationIsApplied: false}"))[0]
	level := objects(t, workStatus("edge1", "a", ", status: {readyReplicas: 2}, statusDetails: {lastGeneration: 0, lastGenerationIsApplied: false}"))[0]
	cases := map[string]struct {
		reason  string
		objs    []map[string]any
		ready   any
		sources int
		state   State
		message string
		said    int // conditions
	}{
		"Both":       {"a WorkStatus has the status, the work what became of the manifest", []map[string]any{plain(t, good), status}, int64(2), 1, Applied, "", 2},
		"Failed":     {"the WorkStatus is about the object before", []map[string]any{plain(t, bad), status}, int64(2), 1, Failed, immutable, 2},
		"Alone":      {"a WorkStatus says nothing of a manifest", []map[string]any{status}, int64(2), 1, NotReported, "", 0},
		"Behind":     {"unless it says that the last generation is not applied", []map[string]any{behind}, int64(2), 1, Stale, "generation 7 of the object is not applied yet", 0},
		"BehindBoth": {"which counts beside a work that is content", []map[string]any{plain(t, good), behind}, int64(2), 1, Stale, "generation 7 of the object is not applied yet", 2},
		"Level":      {"nothing was sent yet, by what it says", []map[string]any{level}, int64(2), 1, NotReported, "", 0},
		"TwoWorks":   {"of two works one failed: the other reports, and the object failed", []map[string]any{plain(t, named("a", false, bad)), plain(t, named("b", false, good))}, int64(1), 1, Failed, immutable, 2},
		"TwoFailed":  {"of two that failed the first by name tells why", []map[string]any{plain(t, named("b", false, bad)), plain(t, named("a", false, worse))}, nil, 0, Failed, "other", 2},
		"Unmapped":   {"a kind that the cluster does not have: the agent knows no resource", []map[string]any{plain(t, named("a", true, bad))}, nil, 0, Failed, immutable, 2},
		"UnmappedWS": {"the status is from when it had", []map[string]any{plain(t, named("a", true, bad)), status}, int64(2), 1, Failed, immutable, 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			x := indexOf(t, "git", tc.objs...)
			got := x.Of(web).In("edge1")
			if got.Status["readyReplicas"] != tc.ready || got.Sources != tc.sources || got.Manifest.State != tc.state || got.Manifest.Message != tc.message || len(got.Manifest.Conditions) != tc.said {
				t.Errorf("%s: got %+v", tc.reason, got)
			}
			if diff := cmp.Diff([]string{"edge1"}, x.Of(web).Clusters()); diff != "" {
				t.Errorf("clusters (-want +got):\n%s", diff)
			}
			if warnings := x.Warnings(); len(warnings) > 0 {
				t.Errorf("%s: %v", tc.reason, warnings)
			}
			checkLaws(t, x, tc.objs)
		})
	}
}

// TestNoObject wants a failure that names no object among the warnings, and what is said about a Secret nowhere.
func TestNoObject(t *testing.T) {
	lost := named("w", true, work(workv1.ManifestResourceMeta{}, nil, nil, failedOf("unexpected end of JSON input", 0)))
	x := indexOf(t, "git", plain(t, lost))
	want := []string{`ManifestWork "edge1/w": status.resourceStatus.manifests[0]: apply failed: unexpected end of JSON input`}
	if diff := cmp.Diff(view{Reports: map[string]Report{}, Warnings: want}, viewOf(x)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	secret := workv1.ManifestResourceMeta{Version: "v1", Kind: "Secret", Resource: "secrets", Namespace: "shop", Name: "web"}
	obj := plain(t, work(secret, nil, nil, failedOf(`.data.password: expected string, got &value.valueUnstructured{Value:1234}`, 0), gone))
	got := indexOf(t, "git", obj).Of(Identity{"", "v1", "Secret", "secrets", "shop", "web"}).In("edge1")
	first, second := got.Manifest.Conditions[0].(m), got.Manifest.Conditions[1].(m)
	if got.Manifest.State != Failed || got.Manifest.Message != withheld || first["message"] != withheld || second["message"] != gone.Message {
		t.Errorf("a Secret: %+v", got.Manifest)
	}
	if !strings.Contains(list(child(child(obj, "status"), "resourceStatus"), "manifests")[0].(m)["conditions"].([]any)[0].(m)["message"].(string), "1234") {
		t.Error("reading changed the work")
	}
}

// TestPlain is what expressions see.
func TestPlain(t *testing.T) {
	if got := (Manifest{}).Plain(); got != nil {
		t.Errorf("nothing is nothing, got %v", got)
	}
	got := Manifest{State: Missing, Message: "x"}.Plain()
	if diff := cmp.Diff(m{"state": "Missing", "message": "x", "conditions": []any{}, "feedback": m{}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for state, want := range map[State]string{Failed: "apply failed: x", Missing: "the object is missing: x", Stale: "", Unknown: "", Applied: "", NotReported: ""} {
		if got := (Manifest{State: state, Message: "x"}).Failure(); got != want {
			t.Errorf("%s: want %q, got %q", state, want, got)
		}
	}
}
