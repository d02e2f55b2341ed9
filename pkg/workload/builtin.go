package workload

import "strings"

// builtin lists the kinds of the Kubernetes API by group, cluster-scoped ones and namespaced ones.
// Plurals are the guess of guessPlural, which holds for all of them. Kinds of versions that are
// gone stay, because packages outlive them.
var builtin = []struct{ group, cluster, namespaced string }{
	{"", "ComponentStatus Namespace Node PersistentVolume",
		"Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate " +
			"ReplicationController ResourceQuota Secret Service ServiceAccount"},
	{"admissionregistration.k8s.io",
		"MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
			"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration", ""},
	{"apiextensions.k8s.io", "CustomResourceDefinition", ""},
	{"apiregistration.k8s.io", "APIService", ""},
	{"apps", "", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"},
	{"authentication.k8s.io", "SelfSubjectReview TokenReview", ""},
	{"authorization.k8s.io", "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview", "LocalSubjectAccessReview"},
	{"autoscaling", "", "HorizontalPodAutoscaler"},
	{"batch", "", "CronJob Job"},
	{"certificates.k8s.io", "CertificateSigningRequest ClusterTrustBundle", "PodCertificateRequest"},
	{"coordination.k8s.io", "", "Lease LeaseCandidate"},
	{"discovery.k8s.io", "", "EndpointSlice"},
	{"events.k8s.io", "", "Event"},
	{"extensions", "PodSecurityPolicy", "DaemonSet Deployment Ingress NetworkPolicy ReplicaSet"},
	{"flowcontrol.apiserver.k8s.io", "FlowSchema PriorityLevelConfiguration", ""},
	{"imagepolicy.k8s.io", "ImageReview", ""},
	{"internal.apiserver.k8s.io", "StorageVersion", ""},
	{"networking.k8s.io", "IPAddress IngressClass ServiceCIDR", "Ingress NetworkPolicy"},
	{"node.k8s.io", "RuntimeClass", ""},
	{"policy", "PodSecurityPolicy", "PodDisruptionBudget"},
	{"rbac.authorization.k8s.io", "ClusterRole ClusterRoleBinding", "Role RoleBinding"},
	{"resource.k8s.io", "DeviceClass DeviceTaintRule ResourcePoolStatusRequest ResourceSlice",
		"PodSchedulingContext ResourceClaim ResourceClaimTemplate"},
	{"scheduling.k8s.io", "PriorityClass", "PodGroup Workload"},
	{"storage.k8s.io", "CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass", "CSIStorageCapacity"},
	{"storagemigration.k8s.io", "StorageVersionMigration", ""},
}

// reviews are virtual or list-only: discovery does not give them both list and watch.
var reviews = map[typeKey]bool{
	{"", "Binding"}:                                      true,
	{"", "ComponentStatus"}:                              true,
	{"authentication.k8s.io", "SelfSubjectReview"}:       true,
	{"authentication.k8s.io", "TokenReview"}:             true,
	{"authorization.k8s.io", "LocalSubjectAccessReview"}: true,
	{"authorization.k8s.io", "SelfSubjectAccessReview"}:  true,
	{"authorization.k8s.io", "SelfSubjectRulesReview"}:   true,
	{"imagepolicy.k8s.io", "ImageReview"}:                true,
	{"authorization.k8s.io", "SubjectAccessReview"}:      true,
}

// ours are kinds that packages hold as input or output of functions. They are known so that
// nobody is warned about them; whether they ship is for IsWorkload and Selectable.
var ours = map[typeKey]Resource{
	{"control.kubestellar.io", "BindingPolicy"}:              {Plural: "bindingpolicies"},
	{"control.kubestellar.io", "Binding"}:                    {Plural: "bindings"},
	{"control.kubestellar.io", "CustomTransform"}:            {Plural: "customtransforms"},
	{"control.kubestellar.io", "StatusCollector"}:            {Plural: "statuscollectors"},
	{"control.kubestellar.io", "CombinedStatus"}:             {Plural: "combinedstatuses", Namespaced: true},
	{"control.kubestellar.io", "WorkStatus"}:                 {Plural: "workstatuses", Namespaced: true},
	{"cluster.open-cluster-management.io", "ManagedCluster"}: {Plural: "managedclusters"},
	{"work.open-cluster-management.io", "ManifestWork"}:      {Plural: "manifestworks", Namespaced: true},
}

// builtinResources is the table in the form it is looked up by.
func builtinResources() map[typeKey]Resource {
	out := map[typeKey]Resource{}
	for _, b := range builtin {
		for namespaced, kinds := range map[bool]string{false: b.cluster, true: b.namespaced} {
			for kind := range strings.FieldsSeq(kinds) {
				k := typeKey{b.group, kind}
				out[k] = Resource{Plural: guessPlural(kind), Namespaced: namespaced, Known: true, ListWatch: !reviews[k]}
			}
		}
	}
	for k, r := range ours {
		r.Known, r.ListWatch = true, true
		out[k] = r
	}
	return out
}

// guessPlural is the usual guess of a resource's name from its kind.
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
