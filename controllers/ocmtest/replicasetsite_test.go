package ocmtest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	clusterv1alpha1 "open-cluster-management.io/api/cluster/v1alpha1"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	workv1 "open-cluster-management.io/api/work/v1"
	workv1alpha1 "open-cluster-management.io/api/work/v1alpha1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// replicaSet is a package with one object whose text differs per cluster, its works on two clusters, and a placement of both. The second
// cluster has no agent.
type replicaSet struct {
	*site
	*Fleet
	pkg       Package
	name, far string
}

func newReplicaSet(t *testing.T, name string, options ...string) *replicaSet {
	s := newSite(t)
	r := &replicaSet{site: s, name: strings.ReplaceAll(name, "NS", s.namespace), far: s.namespace + "-far"}
	r.Fleet = NewFleet(s.namespace, s.Name, r.far)
	clear(r.Texts)
	r.Member.hub.startReplicaSets(t)
	for _, namespace := range []string{r.namespace, r.far} { // of the set and the placement; of the cluster
		if err := r.Member.hub.Client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
			t.Fatal(err)
		}
	}
	r.Options(options...)
	r.Texts["banner.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: NS\n  name: banner\n  annotations: {control.kubestellar.io/expand-templates: \"true\"}\ndata: {text: \"{{.clusterName}}\"}\n"
	r.Texts["policy.yaml"] = "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata: {name: NS}\nspec:\n  clusterSelectors: [{}]\n  downsync:\n  - resources: [configmaps]\n"
	r.Texts["clusters.yaml"] = "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec:\n  clusters: [{name: NEAR}, {name: FAR}]\n"
	r.Write(t, &r.pkg)
	r.Push(t, r.pkg.Render(t)...)
	r.await(t, "the agent to apply the work of the package", func() bool { return r.get(t, "v1", "ConfigMap", "banner") != nil })
	placement := &clusterv1beta1.Placement{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: "all"}}
	decision := &clusterv1beta1.PlacementDecision{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: "all-decision-1",
		Labels: map[string]string{clusterv1beta1.PlacementLabel: "all", clusterv1beta1.DecisionGroupIndexLabel: "0"}}}
	for _, o := range []client.Object{placement, decision} {
		if err := r.Member.hub.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	r.decide(t, r.Name, r.far)
	return r
}

// decide does what OCM's placement controller does.
func (r *replicaSet) decide(t *testing.T, clusters ...string) {
	t.Helper()
	decision, placement := &clusterv1beta1.PlacementDecision{}, &clusterv1beta1.Placement{}
	for o, name := range map[client.Object]string{decision: "all-decision-1", placement: "all"} {
		if err := r.Member.hub.Client.Get(t.Context(), client.ObjectKey{Namespace: r.namespace, Name: name}, o); err != nil {
			t.Fatal(err)
		}
	}
	decision.Status.Decisions = nil
	for _, name := range clusters {
		decision.Status.Decisions = append(decision.Status.Decisions, clusterv1beta1.ClusterDecision{ClusterName: name})
	}
	n := int32(len(clusters))
	placement.Status = clusterv1beta1.PlacementStatus{NumberOfSelectedClusters: n, DecisionGroups: []clusterv1beta1.DecisionGroupStatus{
		{Decisions: []string{decision.Name}, ClustersCount: n}}}
	for _, o := range []client.Object{decision, placement} {
		if err := r.Member.hub.Client.Status().Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}

// template is the spec of the package's work for the site's cluster.
func (r *replicaSet) template(t *testing.T) (spec workv1.ManifestWorkSpec) {
	t.Helper()
	all := r.pkg.Render(t)
	i := slices.IndexFunc(all, func(w *unstructured.Unstructured) bool { return w.GetNamespace() == r.Name })
	text, err := json.Marshal(all[i].Object["spec"])
	if err == nil {
		err = json.Unmarshal(text, &spec)
	}
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// create makes a set that delivers the template to all clusters at once.
func (r *replicaSet) create(t *testing.T, template workv1.ManifestWorkSpec) {
	t.Helper()
	r.createWith(t, template, clusterv1alpha1.RolloutStrategy{Type: clusterv1alpha1.All})
}

// createStepwise makes a set that delivers the template to one cluster after the other, in the order of their names.
func (r *replicaSet) createStepwise(t *testing.T, template workv1.ManifestWorkSpec) {
	t.Helper()
	one := clusterv1alpha1.RolloutProgressive{MaxConcurrency: intstr.FromInt32(1)}
	r.createWith(t, template, clusterv1alpha1.RolloutStrategy{Type: clusterv1alpha1.Progressive, Progressive: &one})
}

func (r *replicaSet) createWith(t *testing.T, template workv1.ManifestWorkSpec, strategy clusterv1alpha1.RolloutStrategy) {
	t.Helper()
	set := &workv1alpha1.ManifestWorkReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: r.name},
		Spec: workv1alpha1.ManifestWorkReplicaSetSpec{ManifestWorkTemplate: template, PlacementRefs: []workv1alpha1.LocalPlacementReference{{Name: "all", RolloutStrategy: strategy}}}}
	if err := r.Member.hub.Client.Create(t.Context(), set); err != nil {
		t.Fatal(err)
	}
}

// made are the works of the controller.
func (r *replicaSet) made(t *testing.T) []workv1.ManifestWork {
	t.Helper()
	return r.labelled(t, client.MatchingLabels{workv1alpha1.ManifestWorkReplicaSetControllerNameLabelKey: r.namespace + "." + r.name})
}

// works are those of the package, by cluster: their labels, specs and uids.
func (r *replicaSet) works(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, w := range r.labelled(t, client.MatchingLabels{"transport.kubestellar.io/originOwnerReferenceBindingKey": r.namespace}) {
		text, err := json.Marshal(w.Spec)
		if err != nil {
			t.Fatal(err)
		}
		out[w.Namespace] = fmt.Sprint(w.Name, w.UID, w.Labels, string(text))
	}
	return out
}

func (r *replicaSet) labelled(t *testing.T, labels client.MatchingLabels) []workv1.ManifestWork {
	t.Helper()
	var list workv1.ManifestWorkList
	if err := r.Member.hub.Client.List(t.Context(), &list, labels); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(w workv1.ManifestWork) bool { return w.DeletionTimestamp != nil })
}

func (r *replicaSet) await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > stepTimeout {
			t.Fatalf("after %s still waiting for %s: %s", stepTimeout, what, replicaSets.program.Log())
		}
	}
}

var replicaSets struct {
	starting sync.Mutex
	program  *clustertest.Program
}

// startReplicaSets starts OCM's controller on the shared hub, once.
func (h *Hub) startReplicaSets(t *testing.T) {
	t.Helper()
	replicaSets.starting.Lock()
	defer replicaSets.starting.Unlock()
	if replicaSets.program != nil {
		return
	}
	for _, group := range []string{filepath.Join("work", "v1alpha1"), filepath.Join("cluster", "v1beta1")} {
		h.InstallCRDs(t, filepath.Join(clustertest.ModuleDir(t, "", "open-cluster-management.io/api"), group))
	}
	folder, err := h.Folder("work-hub")
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := clustertest.WriteKubeconfig(kubeconfig, h.Admin()); err != nil {
		t.Fatal(err)
	}
	if replicaSets.program, err = h.Run("work-hub", filepath.Join(h.programs, "work-hub"), "--kubeconfig="+kubeconfig); err != nil {
		t.Fatal(err)
	}
}
