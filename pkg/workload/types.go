package workload

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Types knows what types of objects are called, and whether they live in namespaces.
type Types interface {
	// Kinds are the kinds of a group that a lower-case plural names, sorted; usually one.
	Kinds(group, plural string) []string
	// Lookup is what is known about a kind.
	Lookup(group, kind string) Resource
}

// NamespaceIn is the namespace an object lives in once it is on an API server whose types these are: see
// Resources.NamespaceOf.
func NamespaceIn(types Types, o *krm.Object) string {
	return namespaceBy(types.Lookup(o.Group(), o.Kind()), o)
}

// TypesOf knows the built-in types, those of CustomResourceDefinitions among items, and those of items.
func TypesOf(items []*krm.Object) (Types, field.ErrorList) {
	resources, errs := NewResources(items, nil)
	t := &itemTypes{Resources: resources, kinds: map[string]map[string]bool{}}
	for _, o := range items {
		t.add(o.Group(), o.Kind())
		if o.Is("apiextensions.k8s.io", "CustomResourceDefinition") {
			t.add(o.String("spec", "group"), o.String("spec", "names", "kind"))
		}
	}
	return t, errs
}

type itemTypes struct {
	*Resources
	kinds map[string]map[string]bool // by group
}

func (t *itemTypes) add(group, kind string) {
	if t.kinds[group] == nil {
		t.kinds[group] = map[string]bool{}
	}
	if kind != "" {
		t.kinds[group][kind] = true
	}
}

// Kinds implements Types. A kind whose plural is known comes before one whose plural is guessed.
func (t *itemTypes) Kinds(group, plural string) []string {
	var known, guessed []string
	consider := func(kind string) {
		switch res := t.Lookup(group, kind); {
		case res.Plural != plural:
		case res.Known:
			known = append(known, kind)
		default:
			guessed = append(guessed, kind)
		}
	}
	for kind := range t.kinds[group] {
		consider(kind)
	}
	for kind := range strings.FieldsSeq(spellings) {
		if t.Lookup(group, kind).Known {
			consider(kind)
		}
	}
	found := known
	if len(found) == 0 {
		found = guessed
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// spellings are the kinds of Kubernetes' own types, for the case of their letters: the table
// has groups, plurals and scopes by lower-case kind alone.
const spellings = `APIService AuditSink CertificateSigningRequest ClusterCIDR ClusterRole ClusterRoleBinding
ClusterTrustBundle CompositePodGroup ConfigMap ControllerRevision CronJob CSIDriver CSINode CSIStorageCapacity
CustomResourceDefinition DaemonSet Deployment DeviceClass DeviceTaintRule Endpoints EndpointSlice Event Eviction
EvictionRequest FlowSchema HorizontalPodAutoscaler Ingress IngressClass IPAddress Job Lease LeaseCandidate LimitRange
MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration Namespace NetworkPolicy Node
PersistentVolume PersistentVolumeClaim Pod PodCertificateRequest PodDisruptionBudget PodGroup PodPreset PodScheduling
PodSchedulingContext PodSecurityPolicy PodTemplate PriorityClass PriorityLevelConfiguration ReplicaSet
ReplicationController ResourceClaim ResourceClaimTemplate ResourceClass ResourcePoolStatusRequest ResourceQuota
ResourceSlice Role RoleBinding RuntimeClass Secret Service ServiceAccount ServiceCIDR StatefulSet StorageClass
StorageVersion StorageVersionMigration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
ValidatingWebhookConfiguration VolumeAttachment VolumeAttributesClass Workload
BindingPolicy Binding CustomTransform StatusCollector CombinedStatus WorkStatus ManagedCluster ManifestWork`
