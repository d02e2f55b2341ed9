package manifests_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

const (
	system  = "waybill-system"
	account = "waybill-controller"
)

// installation is an API server that has the manifests, and a namespace to work in.
type installation struct {
	testing.TB
	*clustertest.Cluster
	namespace string
}

// everywhere is the shared API server with the controller for all namespaces.
func everywhere(t testing.TB) *installation {
	t.Helper()
	w := &installation{TB: t, Cluster: clustertest.Shared(t)}
	w.kubectl("", "apply", "-k", ".")
	w.namespace = w.Namespace(t)
	return w
}

// narrowed is an API server with the controller for the namespace "fleet" alone.
func narrowed(t testing.TB) *installation {
	t.Helper()
	return with(t, "namespaced")
}

// with is an API server, with a namespace "fleet", that has the manifests with one of the components.
func with(t testing.TB, component string) *installation {
	t.Helper()
	w := &installation{TB: t, Cluster: clustertest.Start(t), namespace: "fleet"}
	w.kubectl("", "create", "namespace", w.namespace)
	w.kubectl("", "apply", "-k", clustertest.Kustomization(w, ".", component))
	return w
}

// checkLastArgument checks that the component added an argument of the controller.
func (w *installation) checkLastArgument(arg string) {
	w.Helper()
	args := w.kubectl("", "get", "deployment", account, "-n", system, "-o", "jsonpath={.spec.template.spec.containers[0].args}")
	if !strings.HasSuffix(args, `"`+arg+`"]`) {
		w.Errorf("the controller is not told to: %s", args)
	}
}

func (w *installation) kubectl(input string, args ...string) string {
	w.Helper()
	out, err := w.Kubectl(w, w.Admin(), input, args...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// TestApplyAgain: what is installed already stays as it is, by either way of applying, and so do the
// kinds that were granted meanwhile.
func TestApplyAgain(t *testing.T) {
	w := everywhere(t)
	w.kubectl(w.files()["context.yaml"], "apply", "-f", "-")
	w.aggregate("rbac.waybill.dev/aggregate-to-controller", "waybill-context")
	versions := func() string {
		return w.kubectl("", "get", "-k", ".", "-o", `jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.resourceVersion}{"\n"}{end}`)
	}
	before := versions()
	w.kubectl("", "apply", "-k", ".")
	if diff := cmp.Diff(before, versions()); diff != "" {
		t.Errorf("applied again, and not the same (-before +after):\n%s", diff)
	}
	w.kubectl("", "apply", "--server-side", "--force-conflicts", "-k", ".")
	if rules := w.kubectl("", "get", "clusterrole", "waybill-context", "-o", "jsonpath={.rules[*].resources}"); rules != `["configmaps"]` {
		t.Errorf("what was granted is gone: %s", rules)
	}
}

// TestPodIsAdmitted has an API server that enforces the restricted standard judge the Deployment's pod,
// and one that is less careful in one respect.
func TestPodIsAdmitted(t *testing.T) {
	w := everywhere(t)
	var d appsv1.Deployment
	read(t, "deployment.yaml", &d)
	for name, tc := range map[string]struct {
		reason string
		change func(*corev1.PodSpec)
		fault  string
	}{
		"as it is":   {"the strictest standard is met", func(*corev1.PodSpec) {}, ""},
		"as root":    {"the namespace does look", func(s *corev1.PodSpec) { s.SecurityContext.RunAsNonRoot = nil }, `violates PodSecurity "restricted:latest": runAsNonRoot != true`},
		"unconfined": {"at more than one thing", func(s *corev1.PodSpec) { s.SecurityContext.SeccompProfile = nil }, `violates PodSecurity "restricted:latest": seccompProfile`},
		"host's path": {"and at volumes", func(s *corev1.PodSpec) {
			s.Volumes[0].VolumeSource = corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}
		}, `violates PodSecurity "restricted:latest": restricted volume types`},
	} {
		t.Run(name, func(t *testing.T) {
			pod := corev1.Pod{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
				ObjectMeta: metav1.ObjectMeta{Name: "admitted", Namespace: system, Labels: maps.Clone(d.Spec.Template.Labels)},
				Spec:       *d.Spec.Template.Spec.DeepCopy(),
			}
			tc.change(&pod.Spec)
			data, err := json.Marshal(pod)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Kubectl(t, w.Admin(), string(data), "create", "--dry-run=server", "-f", "-")
			if (err == nil) != (tc.fault == "") || err != nil && !strings.Contains(err.Error(), tc.fault) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.fault, err)
			}
		})
	}
}
