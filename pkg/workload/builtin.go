package workload

import "strings"

// kindList names kinds of one API group, cluster-scoped ones and namespaced ones.
type kindList struct{ group, cluster, namespaced string }

// builtin are the kinds of the Kubernetes API that are stored as objects, and so can be selected
// unless their group or resource is excluded. guessPlural is right for
// all of them. Kinds of removed versions are there, too, because packages outlive them.
var builtin = []kindList{
	{"", "Namespace Node PersistentVolume",
		"ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate " +
			"ReplicationController ResourceQuota Secret Service ServiceAccount"},
	{"admissionregistration.k8s.io",
		"MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
			"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration", ""},
	{"apiextensions.k8s.io", "CustomResourceDefinition", ""},
	{"apiregistration.k8s.io", "APIService", ""},
	{"apps", "", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
	{"auditregistration.k8s.io", "AuditSink", ""},
	{"autoscaling", "", "HorizontalPodAutoscaler"},
	{"batch", "", "CronJob Job"},
	{"certificates.k8s.io", "CertificateSigningRequest ClusterTrustBundle", "PodCertificateRequest"},
	{"coordination.k8s.io", "", "Lease LeaseCandidate"},
	{"discovery.k8s.io", "", "EndpointSlice"},
	{"events.k8s.io", "", "Event"},
	{"extensions", "PodSecurityPolicy", "DaemonSet Deployment Ingress NetworkPolicy ReplicaSet"},
	{"flowcontrol.apiserver.k8s.io", "FlowSchema PriorityLevelConfiguration", ""},
	{"internal.apiserver.k8s.io", "StorageVersion", ""},
	{"lifecycle.k8s.io", "", "Eviction EvictionRequest"},
	{"networking.k8s.io", "ClusterCIDR IPAddress IngressClass ServiceCIDR", "Ingress NetworkPolicy"},
	{"node.k8s.io", "RuntimeClass", ""},
	{"policy", "PodSecurityPolicy", "PodDisruptionBudget"},
	{"rbac.authorization.k8s.io", "ClusterRole ClusterRoleBinding", "Role RoleBinding"},
	{"resource.k8s.io", "DeviceClass DeviceTaintRule ResourceClass ResourcePoolStatusRequest ResourceSlice",
		"PodScheduling PodSchedulingContext ResourceClaim ResourceClaimTemplate"},
	{"scheduling.k8s.io", "PriorityClass", "CompositePodGroup PodGroup Workload"},
	{"settings.k8s.io", "", "PodPreset"},
	{"storage.k8s.io", "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass", "CSIStorageCapacity"},
	{"storagemigration.k8s.io", "StorageVersionMigration", ""},
}

// virtual are the kinds without objects to list and watch: requests to an API server or
// a webhook, subresources, lists. Nothing selects them. Without this list TokenRequest, for example, would be an unknown kind.
var virtual = []kindList{
	{"", "ComponentStatus List NodeProxyOptions RangeAllocation SerializedReference Status",
		"Binding PodAttachOptions PodExecOptions PodLogOptions PodPortForwardOptions PodProxyOptions PodStatusResult ServiceProxyOptions"},
	{"admission.k8s.io", "AdmissionReview", ""},
	{"apidiscovery.k8s.io", "APIGroupDiscovery", ""},
	{"apiextensions.k8s.io", "ConversionReview", ""},
	{"apps", "", "DeploymentRollback Scale"},
	{"authentication.k8s.io", "SelfSubjectReview TokenReview", "TokenRequest"},
	{"authorization.k8s.io", "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview", "LocalSubjectAccessReview"},
	{"autoscaling", "", "Scale"},
	{"extensions", "", "DeploymentRollback Scale"},
	{"imagepolicy.k8s.io", "ImageReview", ""},
	{"policy", "", "Eviction"},
}

// ownKinds are kinds that packages hold as input or output of functions. They are known so that
// there is no warning about them; IsWorkload and Selectable decide whether they ship.
var ownKinds = map[typeKey]Resource{
	{"control.kubestellar.io", "BindingPolicy"}:              {Plural: "bindingpolicies"},
	{"control.kubestellar.io", "Binding"}:                    {Plural: "bindings"},
	{"control.kubestellar.io", "CustomTransform"}:            {Plural: "customtransforms"},
	{"control.kubestellar.io", "StatusCollector"}:            {Plural: "statuscollectors"},
	{"control.kubestellar.io", "CombinedStatus"}:             {Plural: "combinedstatuses", Namespaced: true},
	{"control.kubestellar.io", "WorkStatus"}:                 {Plural: "workstatuses", Namespaced: true},
	{"cluster.open-cluster-management.io", "ManagedCluster"}: {Plural: "managedclusters"},
	{"work.open-cluster-management.io", "ManifestWork"}:      {Plural: "manifestworks", Namespaced: true},
}

// builtinResources are all kinds of the tables.
func builtinResources() map[typeKey]Resource {
	out := map[typeKey]Resource{}
	addTo(out, builtin, true)
	addTo(out, virtual, false)
	for k, r := range ownKinds {
		r.Known, r.ListWatch = true, true
		out[k] = r
	}
	return out
}

func addTo(out map[typeKey]Resource, lists []kindList, listWatch bool) {
	for _, l := range lists {
		for kind := range strings.FieldsSeq(l.cluster) {
			out[typeKey{l.group, kind}] = Resource{Plural: guessPlural(kind), Known: true, ListWatch: listWatch}
		}
		for kind := range strings.FieldsSeq(l.namespaced) {
			out[typeKey{l.group, kind}] = Resource{Plural: guessPlural(kind), Namespaced: true, Known: true, ListWatch: listWatch}
		}
	}
}

// guessPlural is the usual plural of a kind.
func guessPlural(kind string) string {
	word := strings.ToLower(kind)
	switch {
	case word == "endpoints":
		return word
	case strings.HasSuffix(word, "s"):
		return word + "es"
	case strings.HasSuffix(word, "y"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}
