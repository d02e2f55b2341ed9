package ocmtest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	workv1 "open-cluster-management.io/api/work/v1"
	workv1alpha1 "open-cluster-management.io/api/work/v1alpha1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestReplicaSetBesideWorks has OCM's controller of ManifestWorkReplicaSets deliver a template to the clusters to which a package sends works.
// Neither touches what the other delivers.
func TestReplicaSetBesideWorks(t *testing.T) {
	r := newReplicaSet(t, "NS-waves", "rollout: conditions")
	ours := r.works(t)
	r.create(t, r.template(t))
	r.await(t, "the controller to make a work on each cluster", func() bool { return len(r.made(t)) == 2 })
	for _, w := range r.made(t) {
		if w.Name != r.name || w.Labels["transport.kubestellar.io/originOwnerReferenceBindingKey"] != "" ||
			w.Labels[workv1alpha1.ManifestWorkReplicaSetControllerNameLabelKey] != r.namespace+"."+r.name {
			t.Errorf("a work of the controller has name %q and labels %v", w.Name, w.Labels)
		}
	}
	if diff := cmp.Diff(ours, r.works(t)); diff != "" {
		t.Errorf("works of the package changed beside those of the controller (-was +is):\n%s", diff)
	}
	uid := r.get(t, "v1", "ConfigMap", "banner").GetUID()
	r.await(t, "two works to own the object", func() bool { return len(Owners(r.get(t, "v1", "ConfigMap", "banner"))) == 2 })

	r.decide(t, r.far) // the cluster leaves the placement
	r.await(t, "the controller to delete its work there", func() bool { return len(r.made(t)) == 1 })
	r.await(t, "the agent to release the object", func() bool { return len(Owners(r.get(t, "v1", "ConfigMap", "banner"))) == 1 })
	if now := r.get(t, "v1", "ConfigMap", "banner"); now == nil || now.GetUID() != uid {
		t.Error("the object of the package's work went with the work of the controller")
	}
	r.Push(t) // the package goes: a GitOps agent prunes its works
	r.await(t, "the works of the package to go", func() bool { return len(r.works(t)) == 0 })
	if len(r.made(t)) != 1 {
		t.Error("the work of the controller went with those of the package")
	}
}

// TestReplicaSetHasOneTemplate shows what the controller cannot do: works of one template are the same on every cluster.
func TestReplicaSetHasOneTemplate(t *testing.T) {
	r := newReplicaSet(t, "NS-one", "rollout: none")
	texts := map[string]bool{}
	for _, w := range r.pkg.Render(t) {
		text, _, _ := strings.Cut(printed(w), `"kind":"ConfigMap"`)
		texts[text] = true
	}
	if len(texts) != 2 {
		t.Fatalf("want works that differ per cluster in the package, got %d", len(texts))
	}
	r.create(t, r.template(t))
	r.await(t, "the controller to make a work on each cluster", func() bool { return len(r.made(t)) == 2 })
	if made := r.made(t); string(made[0].Spec.Workload.Manifests[0].Raw) != string(made[1].Spec.Workload.Manifests[0].Raw) {
		t.Error("works of one template differ; the documentation says that they cannot")
	}
}

// TestReplicaSetProgress rolls a template out and waits for the end, which the controller sees by the condition Progressing.
func TestReplicaSetProgress(t *testing.T) {
	for _, tc := range []struct{ rollout, reason string }{
		{"conditions", workv1alpha1.ReasonComplete}, // rules for Progressing in the works
		{"none", workv1alpha1.ReasonProgressing},    // it waits for ever
	} {
		t.Run(tc.rollout, func(t *testing.T) {
			r := newReplicaSet(t, "NS-end", "rollout: "+tc.rollout)
			r.decide(t, r.Name) // the other cluster has no agent
			r.create(t, r.template(t))
			r.await(t, "the agent to apply the work", func() bool {
				made := r.made(t)
				return len(made) == 1 && meta.IsStatusConditionTrue(made[0].Status.Conditions, workv1.WorkApplied)
			})
			reason := func() string {
				set := &workv1alpha1.ManifestWorkReplicaSet{}
				if err := r.Member.hub.Client.Get(t.Context(), client.ObjectKey{Namespace: r.namespace, Name: r.name}, set); err != nil {
					t.Fatal(err)
				}
				c := meta.FindStatusCondition(set.Status.Conditions, workv1alpha1.ManifestWorkReplicaSetConditionPlacementRolledOut)
				if c == nil {
					return ""
				}
				return c.Reason
			}
			r.await(t, "the controller to say "+tc.reason, func() bool { return reason() == tc.reason })
			time.Sleep(2 * time.Second) // the status syncs every second
			if got := reason(); got != tc.reason {
				t.Errorf("want %s to stay, got %s", tc.reason, got)
			}
		})
	}
}

// TestReplicaSetSteps rolls a template out to one cluster after the other. The controller goes on when the first one no longer progresses.
func TestReplicaSetSteps(t *testing.T) {
	for rollout, works := range map[string]int{"conditions": 2, "none": 1} {
		t.Run(rollout, func(t *testing.T) {
			r := newReplicaSet(t, "NS-steps", "rollout: "+rollout)
			r.createStepwise(t, r.template(t))
			r.await(t, "the works of all steps", func() bool { return len(r.made(t)) == works })
			r.await(t, "the agent to apply the first", func() bool {
				made := r.made(t)
				first := slices.IndexFunc(made, func(w workv1.ManifestWork) bool { return w.Namespace == r.Name })
				return first >= 0 && meta.IsStatusConditionTrue(made[first].Status.Conditions, workv1.WorkApplied)
			})
			time.Sleep(2 * time.Second) // the status syncs every second
			if made := r.made(t); len(made) != works {
				t.Errorf("want %d works, got %d", works, len(made))
			}
		})
	}
}

// TestReplicaSetNamedLikeAWork shows why no ManifestWorkReplicaSet may have the name of a work: the controller takes that over, and
// deletes it with the set.
func TestReplicaSetNamedLikeAWork(t *testing.T) {
	r := newReplicaSet(t, "NS-git-0", "rollout: none")
	r.create(t, r.template(t))
	r.await(t, "the controller to take over the work", func() bool { return len(r.made(t)) == 2 && len(r.works(t)) == 0 })
	set := &workv1alpha1.ManifestWorkReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: r.name}}
	if err := r.Member.hub.Client.Delete(t.Context(), set); err != nil {
		t.Fatal(err)
	}
	r.await(t, "the object to go with the set", func() bool { return r.get(t, "v1", "ConfigMap", "banner") == nil })
}
