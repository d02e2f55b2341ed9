package reports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	workv1 "open-cluster-management.io/api/work/v1"

	"github.com/waybill-dev/waybill/pkg/status/limits"
)

func integerOf(name string, n int64) workv1.FeedbackValue {
	return workv1.FeedbackValue{Name: name, Value: workv1.FieldValue{Type: workv1.Integer, Integer: &n}}
}

func stringOf(name, s string) workv1.FeedbackValue {
	return workv1.FeedbackValue{Name: name, Value: workv1.FieldValue{Type: workv1.String, String: &s}}
}

func boolOf(name string, b bool) workv1.FeedbackValue {
	return workv1.FeedbackValue{Name: name, Value: workv1.FieldValue{Type: workv1.Boolean, Boolean: &b}}
}

func rawOf(name, s string) workv1.FeedbackValue {
	return workv1.FeedbackValue{Name: name, Value: workv1.FieldValue{Type: workv1.JsonRaw, JsonRaw: &s}}
}

func conditionOf(kind, status string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: metav1.ConditionStatus(status), Reason: "R"}
}

var (
	deploymentMeta = workv1.ManifestResourceMeta{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: "web"}
	jobMeta        = workv1.ManifestResourceMeta{Group: "batch", Version: "v1", Kind: "Job", Resource: "jobs", Namespace: "shop", Name: "web"}
	podMeta        = workv1.ManifestResourceMeta{Version: "v1", Kind: "Pod", Resource: "pods", Namespace: "shop", Name: "web"}
	daemonMeta     = workv1.ManifestResourceMeta{Group: "apps", Version: "v1", Kind: "DaemonSet", Resource: "daemonsets", Namespace: "shop", Name: "web"}
	otherMeta      = workv1.ManifestResourceMeta{Group: "x.io", Version: "v1", Kind: "X", Resource: "xs", Name: "web"}
)

// paths is a rule that asks for pairs of name and path.
func paths(pairs ...string) workv1.FeedbackRule {
	rule := workv1.FeedbackRule{Type: workv1.JSONPathsType}
	for i := 0; i < len(pairs); i += 2 {
		rule.JsonPaths = append(rule.JsonPaths, workv1.JsonPath{Name: pairs[i], Path: pairs[i+1]})
	}
	return rule
}

// work is a work that reports values and conditions of one manifest, for which it has rules.
func work(meta workv1.ManifestResourceMeta, rules []workv1.FeedbackRule, values []workv1.FeedbackValue, conditions ...metav1.Condition) workv1.ManifestWork {
	w := workv1.ManifestWork{TypeMeta: metav1.TypeMeta{APIVersion: "work.open-cluster-management.io/v1", Kind: "ManifestWork"}}
	w.Namespace, w.Name = "edge1", "w"
	if rules != nil {
		w.Spec.ManifestConfigs = []workv1.ManifestConfigOption{{
			ResourceIdentifier: workv1.ResourceIdentifier{Group: meta.Group, Resource: meta.Resource, Namespace: meta.Namespace, Name: meta.Name},
			FeedbackRules:      rules,
		}}
	}
	w.Status.ResourceStatus.Manifests = []workv1.ManifestCondition{{
		ResourceMeta: meta, StatusFeedbacks: workv1.StatusFeedbackResult{Values: values}, Conditions: conditions,
	}}
	return w
}

type m = map[string]any

// lists are so many lists inside each other, as JSON.
func lists(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// large is a text that leaves room for no more than an empty list.
var large = strings.Repeat("x", limits.Bytes-len(`""[]`))

func TestFeedback(t *testing.T) {
	wellKnown := []workv1.FeedbackRule{{Type: workv1.WellKnownStatusType}}
	cases := map[string]struct {
		reason         string
		work           workv1.ManifestWork
		status, fields map[string]any
		named          map[string]any // values that are in the feedback, and in no field
		remarks        []string
	}{
		"Deployment": {"the names agents use for a Deployment are fields",
			work(deploymentMeta, wellKnown, []workv1.FeedbackValue{integerOf("ReadyReplicas", 2), integerOf("Replicas", 3), integerOf("AvailableReplicas", 1)}),
			m{"readyReplicas": int64(2), "replicas": int64(3), "availableReplicas": int64(1)}, m{"readyReplicas": int64(2), "replicas": int64(3), "availableReplicas": int64(1)}, nil, nil},
		"Job": {"of a Job one is a field and one the status of a condition, which alone is no whole field",
			work(jobMeta, wellKnown, []workv1.FeedbackValue{stringOf("JobComplete", "True"), integerOf("JobSucceeded", 1)}),
			m{"succeeded": int64(1), "conditions": []any{m{"type": "Complete", "status": "True"}}}, m{"succeeded": int64(1)}, nil, nil},
		"Pod": {"of a Pod likewise",
			work(podMeta, wellKnown, []workv1.FeedbackValue{stringOf("PodReady", "False"), stringOf("PodPhase", "Running")}),
			m{"phase": "Running", "conditions": []any{m{"type": "Ready", "status": "False"}}}, m{"phase": "Running"}, nil, nil},
		"OtherKind": {"the names mean nothing for other kinds",
			work(otherMeta, nil, []workv1.FeedbackValue{integerOf("ReadyReplicas", 2), stringOf("PodPhase", "Running")}),
			nil, nil, m{"ReadyReplicas": int64(2), "PodPhase": "Running"}, nil},
		"Counters": {"what the bundler asks for under capitals is recognised without its rules",
			work(daemonMeta, nil, []workv1.FeedbackValue{integerOf("NumberAvailable", 2), integerOf("numberReady", 1), integerOf("umberReady", 4)}),
			m{"numberAvailable": int64(2), "numberReady": int64(1)}, m{"numberAvailable": int64(2), "numberReady": int64(1)}, m{"umberReady": int64(4)}, nil},
		"Paths": {"a path in the work says which field a value is, whatever its name",
			work(otherMeta, []workv1.FeedbackRule{paths("a", ".status.readyReplicas", "b", ".status.deep.er", "c", ".status.deep.est")},
				[]workv1.FeedbackValue{integerOf("a", 2), boolOf("b", true), stringOf("c", "x")}),
			m{"readyReplicas": int64(2), "deep": m{"er": true, "est": "x"}}, m{"readyReplicas": int64(2), "deep": m{"er": true, "est": "x"}}, nil, nil},
		"PathWins": {"a path counts more than a name that is known",
			work(deploymentMeta, []workv1.FeedbackRule{paths("ReadyReplicas", ".status.replicas")}, []workv1.FeedbackValue{integerOf("ReadyReplicas", 2)}),
			m{"replicas": int64(2)}, m{"replicas": int64(2)}, nil, nil},
		"OddPaths": {"what is not understood is in the feedback, and no field",
			work(otherMeta, []workv1.FeedbackRule{paths("a", ".status.list[0].x", "b", ".metadata.generation", "c", "{.status.x}", "d", ".status.a..b", "e", `.status.conditions[?(@.type=="A")].reason`)},
				[]workv1.FeedbackValue{integerOf("a", 1), integerOf("b", 2), integerOf("c", 3), integerOf("d", 4), stringOf("e", "R")}),
			nil, nil, m{"a": int64(1), "b": int64(2), "c": int64(3), "d": int64(4), "e": "R"}, nil},
		"DeepPath": {"a field that lies absurdly deep is in the feedback alone",
			work(otherMeta, []workv1.FeedbackRule{paths("a", ".status.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17")}, []workv1.FeedbackValue{integerOf("a", 1)}),
			nil, nil, m{"a": int64(1)}, nil},
		"ConditionPath": {"a path to the status of a condition makes that condition",
			work(otherMeta, []workv1.FeedbackRule{paths("Ready", `.status.conditions[?(@.type=="Ready")].status`, "B", `.status.conditions[?( @.type == 'Bound' )].status`)},
				[]workv1.FeedbackValue{stringOf("Ready", "True"), stringOf("B", "False")}),
			m{"conditions": []any{m{"type": "Bound", "status": "False"}, m{"type": "Ready", "status": "True"}}}, nil, nil, nil},
		"ConditionNoText": {"what is no text is no status of a condition",
			work(otherMeta, []workv1.FeedbackRule{paths("Ready", `.status.conditions[?(@.type=="Ready")].status`)}, []workv1.FeedbackValue{boolOf("Ready", true)}),
			nil, nil, m{"Ready": true}, nil},
		"Raw": {"JSON is parsed; whole numbers stay whole",
			work(otherMeta, []workv1.FeedbackRule{paths("a", ".status.a")}, []workv1.FeedbackValue{rawOf("a", `{"n": 9007199254740993, "x": 0.5, "l": [true, null]}`), rawOf("b", `[1]`)}),
			m{"a": m{"n": int64(9007199254740993), "x": 0.5, "l": []any{true, nil}}}, m{"a": m{"n": int64(9007199254740993), "x": 0.5, "l": []any{true, nil}}}, m{"b": []any{int64(1)}}, nil},
		"WholeStatus": {"the path may be the status itself; parts of it that come again agree",
			work(otherMeta, []workv1.FeedbackRule{paths("z", ".status", "a", ".status.n", "b", ".status.m.k")},
				[]workv1.FeedbackValue{rawOf("z", `{"n": 1, "m": {"k": "v"}}`), integerOf("a", 1), stringOf("b", "v")}),
			m{"n": int64(1), "m": m{"k": "v"}}, m{"n": int64(1), "m": m{"k": "v"}}, nil, nil},
		"NoWholeStatus": {"a status that is no map is a value like any other",
			work(otherMeta, []workv1.FeedbackRule{paths("z", ".status")}, []workv1.FeedbackValue{rawOf("z", `[1]`)}),
			nil, nil, m{"z": []any{int64(1)}}, nil},
		"OwnConditions": {"conditions are those of the object alone; those of the manifest, of the same types, are apart",
			work(deploymentMeta, []workv1.FeedbackRule{paths("c", ".status.conditions", "p", `.status.conditions[?(@.type=="Progressing")].status`)},
				[]workv1.FeedbackValue{rawOf("c", `[{"type": "Available", "status": "False"}]`), stringOf("p", "True")}, conditionOf("Applied", "True"), conditionOf("Available", "True"), conditionOf("Progressing", "False")),
			m{"conditions": []any{m{"type": "Available", "status": "False"}, m{"type": "Progressing", "status": "True"}}},
			m{"conditions": []any{m{"type": "Available", "status": "False"}}}, nil, nil},
		"OddConditions": {"what the object calls conditions stays, be it no list",
			work(otherMeta, []workv1.FeedbackRule{paths("c", ".status.conditions")}, []workv1.FeedbackValue{stringOf("c", "fine")}, conditionOf("Applied", "True")),
			m{"conditions": "fine"}, m{"conditions": "fine"}, nil, nil},
		"ConditionsOnly": {"what the work says about the manifest is no status",
			work(deploymentMeta, nil, nil, conditionOf("Applied", "True"), conditionOf("Available", "True")),
			nil, nil, nil, nil},
		"Nothing": {"an object may be known and say nothing", work(deploymentMeta, nil, nil, conditionOf("Applied", "True")), nil, nil, nil, nil},
		"Clash": {"two values for one field: the first name wins, the others are in the feedback",
			work(otherMeta, []workv1.FeedbackRule{paths("b", ".status.x", "a", ".status.x", "c", ".status.x.y")}, []workv1.FeedbackValue{integerOf("b", 2), integerOf("a", 1), integerOf("c", 3)}),
			m{"x": int64(1)}, m{"x": int64(1)}, m{"b": int64(2), "c": int64(3)}, nil},
		"NameOfField": {"a value called like a field that comes from elsewhere is not that field",
			work(otherMeta, []workv1.FeedbackRule{paths("a", ".status.x", "x", ".status.y[0]")}, []workv1.FeedbackValue{integerOf("a", 1), integerOf("x", 2)}),
			m{"x": int64(1)}, m{"x": int64(1)}, m{"x": int64(2)}, nil},
		"NotAsked": {"a name that the rules of the work do not bring is not known for anything",
			work(deploymentMeta, []workv1.FeedbackRule{paths("a", ".status.replicas", "availableReplicas", ".spec.replicas")}, []workv1.FeedbackValue{integerOf("a", 3), integerOf("availableReplicas", 3), integerOf("ReadyReplicas", 3)}),
			m{"replicas": int64(3)}, m{"replicas": int64(3)}, m{"availableReplicas": int64(3), "ReadyReplicas": int64(3)}, nil},
		"Partial": {"fields that the feedback does not bring are not made up",
			work(deploymentMeta, wellKnown, []workv1.FeedbackValue{integerOf("Replicas", 3)}, conditionOf("Applied", "True"), conditionOf("Available", "True"), conditionOf("StatusFeedbackSynced", "False")),
			m{"replicas": int64(3)}, m{"replicas": int64(3)}, nil, nil},
		"BadValues": {"what cannot be read is passed over, and not quoted",
			work(otherMeta, nil, []workv1.FeedbackValue{rawOf("a", `{"secret`), {Name: "b", Value: workv1.FieldValue{Type: workv1.Integer}}, {Name: "c", Value: workv1.FieldValue{Type: "Float"}}, stringOf("", "x"), integerOf("ok", 1)}),
			nil, nil, m{"ok": int64(1)}, []string{
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "a": its type is JsonRaw, but its value is not JSON`,
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "b": its type is Integer, but its value is not`,
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "c": its type is none of Integer, String, Boolean and JsonRaw`,
			}},
		"Deep": {"what is as deep as no file should be is passed over, also where it would be the whole status",
			work(otherMeta, []workv1.FeedbackRule{paths("z", ".status")}, []workv1.FeedbackValue{
				rawOf("z", `{"d": `+lists(limits.Depth)+`}`), rawOf("a", lists(limits.Depth+1)), rawOf("b", lists(20_000)), integerOf("ok", 1)}),
			nil, nil, m{"ok": int64(1)}, []string{
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "a": its type is JsonRaw, but its value is nested deeper than 50 levels`,
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "b": its type is JsonRaw, but its value is nested deeper than 50 levels`,
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "z": its type is JsonRaw, but its value is nested deeper than 50 levels`,
			}},
		"Large": {"the JSON about one object has a bound together; what fits after what does not is taken",
			work(otherMeta, nil, []workv1.FeedbackValue{rawOf("a", `"`+large+`"`), rawOf("b", `"`+large+`"`), rawOf("c", `[]`), rawOf("d", `"x"`)}),
			nil, nil, m{"a": large, "c": []any{}}, []string{
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "b": its type is JsonRaw, but with those before it has more than 1048576 bytes`,
				`status.resourceStatus.manifests[0] (X web (x.io/v1 xs)): value "d": its type is JsonRaw, but with those before it has more than 1048576 bytes`,
			}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			obj := plain(t, tc.work)
			x := indexOf(t, "git", obj)
			meta := tc.work.Status.ResourceStatus.Manifests[0].ResourceMeta
			got := x.Of(Identity{meta.Group, meta.Version, meta.Kind, meta.Resource, meta.Namespace, meta.Name}).In("edge1")
			said := got.Manifest
			if got.Manifest = (Manifest{}); !cmp.Equal(list(child(child(obj, "status"), "resourceStatus"), "manifests")[0].(m)["conditions"], any(said.Conditions)) && len(said.Conditions) > 0 {
				t.Errorf("the conditions of the manifest are apart, as they are: %v", said.Conditions)
			}
			if diff := cmp.Diff(Report{Known: true, Status: tc.status, Fields: tc.fields, Sources: 1}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			for name, v := range tc.named {
				if !cmp.Equal(v, said.Feedback[name]) {
					t.Errorf("%s: %q in the feedback is %v, want %v", tc.reason, name, said.Feedback[name], v)
				}
			}
			var remarks []string
			for _, w := range x.Warnings() {
				remarks = append(remarks, w.Text)
			}
			if diff := cmp.Diff(tc.remarks, remarks); diff != "" {
				t.Errorf("%s: warnings (-want +got):\n%s", tc.reason, diff)
			}
			checkUntouched(t, tc.work, obj)
			checkLaws(t, x, []map[string]any{obj})
		})
	}
}

func checkUntouched(t *testing.T, w workv1.ManifestWork, obj map[string]any) {
	t.Helper()
	if diff := cmp.Diff(plain(t, w), obj); diff != "" {
		t.Errorf("reading changed the work:\n%s", diff)
	}
}

func TestWorkOfMany(t *testing.T) {
	w := work(deploymentMeta, nil, []workv1.FeedbackValue{integerOf("a", 1)})
	second, third, unmapped := deploymentMeta, deploymentMeta, deploymentMeta
	second.Name, third.Name, unmapped.Resource = "db", "api", ""
	w.Spec.ManifestConfigs = []workv1.ManifestConfigOption{
		{ResourceIdentifier: workv1.ResourceIdentifier{Group: "apps", Resource: "deployments", Namespace: "shop", Name: "db"}, ConditionRules: []workv1.ConditionRule{{Condition: "Progressing"}}},
		{ResourceIdentifier: workv1.ResourceIdentifier{Group: "apps", Resource: "deployments", Namespace: "shop", Name: "db"}, FeedbackRules: []workv1.FeedbackRule{paths("a", ".status.one", "a", ".status.late")}},
		{ResourceIdentifier: workv1.ResourceIdentifier{Group: "apps", Resource: "deployments", Namespace: "s*", Name: "*"}, FeedbackRules: []workv1.FeedbackRule{paths("a", ".status.all")}},
		{ResourceIdentifier: workv1.ResourceIdentifier{Group: "apps", Resource: "deployments", Namespace: "shop", Name: "api"}, FeedbackRules: []workv1.FeedbackRule{paths("a", ".status.hidden")}},
		{ResourceIdentifier: workv1.ResourceIdentifier{Group: "apps", Resource: "deployments", Namespace: "shop", Name: "db"}, FeedbackRules: []workv1.FeedbackRule{paths("a", ".status.again")}},
	}
	one := w.Status.ResourceStatus.Manifests[0]
	two, three, four, five := one, one, one, one
	two.ResourceMeta, three.ResourceMeta, five.ResourceMeta = second, unmapped, third
	four.StatusFeedbacks.Values = []workv1.FeedbackValue{integerOf("a", 2)}
	w.Status.ResourceStatus.Manifests = append(w.Status.ResourceStatus.Manifests, two, three, four, five)
	said := Manifest{Feedback: m{"a": int64(1)}}
	want := view{Reports: map[string]Report{
		webInEdge1: {Known: true, Status: m{"all": int64(1)}, Fields: m{"all": int64(1)}, Sources: 1, Manifest: said},
		"edge1: Deployment shop/db (apps/v1 deployments)":  {Known: true, Status: m{"one": int64(1)}, Fields: m{"one": int64(1)}, Sources: 1, Manifest: said},
		"edge1: Deployment shop/api (apps/v1 deployments)": {Known: true, Status: m{"all": int64(1)}, Fields: m{"all": int64(1)}, Sources: 1, Manifest: said},
	}}
	if diff := cmp.Diff(want, viewOf(indexOf(t, "git", plain(t, w)))); diff != "" {
		t.Errorf("of rules by pattern and by name the first that fits and asks for values, a manifest that is not mapped, one that comes twice (-want +got):\n%s", diff)
	}
}
