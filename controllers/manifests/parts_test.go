package manifests_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// documents are those of a YAML file.
func documents(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n---\n")
}

// read reads the one object of a file, every field of which must exist.
func read(t testing.TB, file string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(documents(t, file)[0]), into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// roles are the rules of all roles, of the cluster and of namespaces, by name.
func roles(t testing.TB) map[string][]rbacv1.PolicyRule {
	t.Helper()
	out := map[string][]rbacv1.PolicyRule{}
	for _, text := range slices.Concat(documents(t, "rbac.yaml"), documents(t, "people.yaml"), documents(t, "combinedstatus/rbac.yaml"), documents(t, "translation/rbac.yaml"), documents(t, "mapcontroller/rbac.yaml"),
		documents(t, "publishedresource/rbac.yaml"), documents(t, "publishedresource/source/rbac.yaml"), documents(t, "porch/notify/rbac.yaml"),
		documents(t, "porch/revisions/rbac.yaml")) {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(text), &role); err != nil {
			t.Fatal(err)
		}
		if role.Kind == "ClusterRole" || role.Kind == "Role" {
			out[role.Name] = role.Rules
		}
	}
	return out
}

// TestKustomizationIsWhole: a file that no kustomization applies is a mistake.
func TestKustomizationIsWhole(t *testing.T) {
	for folder, patterns := range map[string][]string{".": {"*.yaml", "crds/*.yaml"}, "namespaced": {"*.yaml"}, "combinedstatus": {"*.yaml"}, "translation": {"*.yaml"}, "mapcontroller": {"*.yaml"},
		"publishedresource": {"*.yaml"}, "publishedresource/source": {"*.yaml"}, "porch": {"*.yaml"}, "porch/notify": {"*.yaml"}, "porch/revisions": {"*.yaml"}} {
		var k struct{ Resources []string }
		data, err := os.ReadFile(filepath.Join(folder, "kustomization.yaml")) // #nosec G304 -- a file of the repository
		if err == nil {
			err = yaml.Unmarshal(data, &k)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, pattern := range patterns {
			files, err := fs.Glob(os.DirFS(folder), pattern)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, files...)
		}
		want = slices.DeleteFunc(want, func(file string) bool { return file == "kustomization.yaml" })
		slices.Sort(want)
		slices.Sort(k.Resources)
		if diff := cmp.Diff(want, append([]string{}, k.Resources...)); diff != "" {
			t.Errorf("the resources of the kustomization in %s (-files +listed):\n%s", folder, diff)
		}
	}
}

func TestRolesAreNarrow(t *testing.T) {
	all := roles(t)
	if len(all) != 22 {
		t.Errorf("want 22 roles, got %d", len(all))
	}
	for name, rules := range all {
		for _, rule := range rules {
			for _, word := range slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs, rule.NonResourceURLs) {
				if strings.Contains(word, "*") || slices.Contains([]string{"escalate", "bind", "impersonate"}, word) {
					t.Errorf("%s: %q grants more than anybody can know", name, word)
				}
			}
		}
	}
}

// TestDeploymentAgrees holds the Deployment to what it names elsewhere.
func TestDeploymentAgrees(t *testing.T) {
	var d appsv1.Deployment
	var s corev1.Service
	var b policyv1.PodDisruptionBudget
	read(t, "deployment.yaml", &d)
	read(t, "metrics.yaml", &s)
	read(t, "poddisruptionbudget.yaml", &b)
	pod := d.Spec.Template
	c := pod.Spec.Containers[0]
	if diff := cmp.Diff(catalog.Image("waybill"), c.Image); diff != "" {
		t.Errorf("the image is that of this release (-want +got):\n%s", diff)
	}
	for name, labels := range map[string]map[string]string{
		"Deployment": d.Spec.Selector.MatchLabels, "Service": s.Spec.Selector, "PodDisruptionBudget": b.Spec.Selector.MatchLabels,
		"spread": pod.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		if diff := cmp.Diff(pod.Labels, labels); diff != "" {
			t.Errorf("%s selects other pods (-pod +selected):\n%s", name, diff)
		}
	}
	soft := resource.MustParse(strings.TrimSuffix(c.Env[0].Value, "B"))
	if c.Env[0].Name != "GOMEMLIMIT" || soft.Cmp(*c.Resources.Limits.Memory()) >= 0 {
		t.Errorf("garbage is collected too late: %s=%s, limit %s", c.Env[0].Name, c.Env[0].Value, c.Resources.Limits.Memory())
	}
	if *d.Spec.Replicas-b.Spec.MinAvailable.IntVal < 1 {
		t.Error("no node could ever be drained")
	}
}
