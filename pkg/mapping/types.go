package mapping

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Types knows what types of objects are called, and whether they live in namespaces.
type Types interface {
	// Kinds are the kinds of a group that a lower-case plural names, sorted; usually one.
	Kinds(group, plural string) []string
	// Lookup is what is known about a kind.
	Lookup(group, kind string) workload.Resource
}

// TypesOf knows the built-in types, those of CustomResourceDefinitions among items, and those of items.
func TypesOf(items []*krm.Object) (Types, field.ErrorList) {
	resources, errs := workload.NewResources(items, nil)
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
	*workload.Resources
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

// resource is a type of objects that a rule names.
type resource struct {
	schema.GroupKind
	APIVersion string
	Plural     string
	Namespaced bool
	known      bool   // whether Namespaced means something
	field      string // its name in a status
}

// key is what a type is called in requests.
func (r *resource) key() string { return r.Kind + "." + r.APIVersion }

// resolve finds the type that a rule names.
func resolve(types Types, rule waybill.MapType, at *field.Path) (resource, field.ErrorList) {
	gv, err := schema.ParseGroupVersion(rule.APIVersion)
	switch {
	case rule.APIVersion == "":
		return resource{}, field.ErrorList{field.Required(at.Child("apiVersion"), "name group and version")}
	case err != nil || gv.Version == "":
		return resource{}, field.ErrorList{field.Invalid(at.Child("apiVersion"), rule.APIVersion, "want group/version, or a version of the core group")}
	case rule.Resource == "" && rule.Kind == "":
		return resource{}, field.ErrorList{field.Required(at.Child("resource"), "name the resource or the kind")}
	}
	kind, fault := rule.Kind, (*field.Error)(nil)
	if kind == "" {
		kind, fault = kindOf(types, gv.Group, rule.Resource, at.Child("resource"))
	}
	if fault != nil {
		return resource{}, field.ErrorList{fault}
	}
	res := types.Lookup(gv.Group, kind)
	if res.Known && rule.Resource != "" && res.Plural != rule.Resource {
		return resource{}, field.ErrorList{field.Invalid(at.Child("resource"), rule.Resource, fmt.Sprintf("the kind %s is called %s", kind, res.Plural))}
	}
	if rule.Resource != "" {
		res.Plural = rule.Resource
	}
	return resource{
		GroupKind: schema.GroupKind{Group: gv.Group, Kind: kind}, APIVersion: rule.APIVersion,
		Plural: res.Plural, Namespaced: res.Namespaced, known: res.Known,
	}, nil
}

func kindOf(types Types, group, plural string, at *field.Path) (string, *field.Error) {
	switch kinds := types.Kinds(group, plural); len(kinds) {
	case 0:
		return "", field.Invalid(at, plural, "nobody says which kind that is; name the kind, too, or add its CustomResourceDefinition")
	case 1:
		return kinds[0], nil
	default:
		return "", field.Invalid(at, plural, "this may be any of the kinds "+strings.Join(kinds, ", ")+"; name the kind, too")
	}
}

// spellings are the kinds of Kubernetes' own types, for the case of their letters: package workload
// knows groups, plurals and scopes, by kind alone.
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
