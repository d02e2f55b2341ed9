package ocmtest

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FinishJob does what the Job controller does when the last pod has succeeded.
func (m *Member) FinishJob(t testing.TB, namespace, name string) {
	t.Helper()
	job := &batchv1.Job{}
	m.read(t, namespace, name, job)
	now := metav1.NewTime(time.Now().Truncate(time.Second))
	zero := int32(0)
	condition := func(kind batchv1.JobConditionType) batchv1.JobCondition {
		return batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now,
			Reason: batchv1.JobReasonCompletionsReached}
	}
	job.Status = batchv1.JobStatus{StartTime: &now, CompletionTime: &now, Succeeded: 1, Ready: &zero, Terminating: &zero,
		UncountedTerminatedPods: &batchv1.UncountedTerminatedPods{},
		Conditions:              []batchv1.JobCondition{condition(batchv1.JobSuccessCriteriaMet), condition(batchv1.JobComplete)}}
	if err := m.Client.Status().Update(t.Context(), job); err != nil {
		t.Fatalf("finish job %s/%s: %v", namespace, name, err)
	}
}

// RunPods does what the controllers of a Deployment and its pods do until all of these are ready.
func (m *Member) RunPods(t testing.TB, namespace, deployment string) {
	t.Helper()
	d := &appsv1.Deployment{}
	m.read(t, namespace, deployment, d)
	now, n := metav1.Now(), *d.Spec.Replicas
	condition := func(kind appsv1.DeploymentConditionType, reason string) appsv1.DeploymentCondition {
		return appsv1.DeploymentCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, LastUpdateTime: now, LastTransitionTime: now}
	}
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: d.Generation, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n,
		AvailableReplicas: n, Conditions: []appsv1.DeploymentCondition{condition(appsv1.DeploymentAvailable, "MinimumReplicasAvailable"),
			condition(appsv1.DeploymentProgressing, "NewReplicaSetAvailable")}}
	if err := m.Client.Status().Update(t.Context(), d); err != nil {
		t.Fatalf("run the pods of %s/%s: %v", namespace, deployment, err)
	}
}

// BindClaim does what the controller of volumes does when it has found a volume for a claim.
func (m *Member) BindClaim(t testing.TB, namespace, name string) {
	t.Helper()
	claim := &corev1.PersistentVolumeClaim{}
	m.read(t, namespace, name, claim)
	claim.Spec.VolumeName = "volume-of-" + name
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, "pv.kubernetes.io/bind-completed", "yes")
	if err := m.Client.Update(t.Context(), claim); err != nil {
		t.Fatalf("bind claim %s/%s: %v", namespace, name, err)
	}
	claim.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, AccessModes: claim.Spec.AccessModes,
		Capacity: claim.Spec.Resources.Requests}
	if err := m.Client.Status().Update(t.Context(), claim); err != nil {
		t.Fatalf("bind claim %s/%s: %v", namespace, name, err)
	}
}

// FinishDeletion does what controllers of a cluster do with an object that is being deleted and that they have cleaned up after: it
// removes the finalizers. The controllers of its API server clean up after a CustomResourceDefinition.
func (m *Member) FinishDeletion(t testing.TB, o *unstructured.Unstructured) {
	t.Helper()
	o, err := o.DeepCopy(), error(nil)
	switch o.GetKind() {
	case "CustomResourceDefinition":
		return
	case "Namespace":
		unstructured.RemoveNestedField(o.Object, "spec", "finalizers")
		err = m.Client.SubResource("finalize").Update(t.Context(), o)
	default:
		o.SetFinalizers(nil)
		err = m.Client.Update(t.Context(), o)
	}
	if client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
		t.Fatalf("finish the deletion of %s %s/%s: %v", o.GetKind(), o.GetNamespace(), o.GetName(), err)
	}
}

func (m *Member) read(t testing.TB, namespace, name string, o client.Object) {
	t.Helper()
	if err := m.Client.Get(t.Context(), types.NamespacedName{Namespace: namespace, Name: name}, o); err != nil {
		t.Fatalf("get %T %s/%s of cluster %q: %v", o, namespace, name, m.Name, err)
	}
}
