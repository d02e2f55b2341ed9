package namesubstring

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// reference is a field that names an object of one kind.
type reference struct {
	group, kind string // of the named object
	path        string // below the holder
}

// holder is a kind whose objects name others. The group is left out for kinds that were in several.
type holder struct{ group, kind string }

// podSpecs are the paths of the specs of pods, by kind.
var podSpecs = func() map[holder]string {
	all := map[holder]string{{"serving.knative.dev", "Service"}: "spec/template/spec"}
	for _, k := range edit.PodSpecs {
		all[holder{k.Group, k.Kind}] = k.Path
	}
	return all
}()

// inPods are the references of a pod's spec.
var inPods = slices.Concat(
	[]reference{
		{"", "ServiceAccount", "serviceAccountName"},
		{"", "ServiceAccount", "serviceAccount"},
		{"", "Secret", "imagePullSecrets/name"},
		{"scheduling.k8s.io", "PriorityClass", "priorityClassName"},
		{"node.k8s.io", "RuntimeClass", "runtimeClassName"},
		{"", "ConfigMap", "volumes/configMap/name"},
		{"", "ConfigMap", "volumes/projected/sources/configMap/name"},
		{"", "Secret", "volumes/secret/secretName"},
		{"", "Secret", "volumes/projected/sources/secret/name"},
		{"", "Secret", "volumes/azureFile/secretName"},
		{"", "Secret", "volumes/csi/nodePublishSecretRef/name"},
		{"", "PersistentVolumeClaim", "volumes/persistentVolumeClaim/claimName"},
		{"storage.k8s.io", "StorageClass", "volumes/ephemeral/volumeClaimTemplate/spec/storageClassName"},
	},
	inContainers("containers"), inContainers("initContainers"), inContainers("ephemeralContainers"),
)

func inContainers(list string) []reference {
	return []reference{
		{"", "ConfigMap", list + "/env/valueFrom/configMapKeyRef/name"},
		{"", "ConfigMap", list + "/envFrom/configMapRef/name"},
		{"", "Secret", list + "/env/valueFrom/secretKeyRef/name"},
		{"", "Secret", list + "/envFrom/secretRef/name"},
	}
}

// references are those of the other kinds.
var references = map[holder][]reference{
	{"apps", "StatefulSet"}: {
		{"", "Service", "spec/serviceName"},
		{"storage.k8s.io", "StorageClass", "spec/volumeClaimTemplates/spec/storageClassName"},
	},
	{"", "Ingress"}: {
		{"", "Service", "spec/defaultBackend/service/name"},
		{"", "Service", "spec/rules/http/paths/backend/service/name"},
		{"", "Service", "spec/backend/serviceName"},
		{"", "Service", "spec/rules/http/paths/backend/serviceName"},
		{"", "Secret", "spec/tls/secretName"},
		{"networking.k8s.io", "IngressClass", "spec/ingressClassName"},
	},
	{"", "ServiceAccount"}: {
		{"", "Secret", "imagePullSecrets/name"},
		{"", "Secret", "secrets/name"},
	},
	{"", "PersistentVolumeClaim"}: {
		{"", "PersistentVolume", "spec/volumeName"},
		{"storage.k8s.io", "StorageClass", "spec/storageClassName"},
	},
	{"", "PersistentVolume"}: {
		{"storage.k8s.io", "StorageClass", "spec/storageClassName"},
		{"", "Secret", "spec/azureFile/secretName"},
	},
	{"storage.k8s.io", "StorageClass"}: {
		{"", "Secret", "parameters/secretName"},
		{"", "Secret", "parameters/secretRef"},
		{"", "Secret", "parameters/adminSecretName"},
		{"", "Secret", "parameters/userSecretName"},
	},
	{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"}: {
		{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", "spec/policyName"},
	},
}

// ingressAnnotations are annotations of an Ingress that name what is in its namespace.
var ingressAnnotations = []struct{ kind, annotation string }{
	{"Secret", "ingress.kubernetes.io/auth-secret"},
	{"Secret", "nginx.ingress.kubernetes.io/auth-secret"},
	{"Secret", "nginx.ingress.kubernetes.io/auth-tls-secret"},
	{"ConfigMap", "nginx.ingress.kubernetes.io/fastcgi-params-configmap"},
}

// objectReferences are maps that name an object of a kind of their own, or of the kind given here,
// and the namespace it is in, or leave that out.
var objectReferences = map[holder][]reference{
	{"autoscaling", "HorizontalPodAutoscaler"}:                         {{"", "", "spec/scaleTargetRef"}},
	{"rbac.authorization.k8s.io", "RoleBinding"}:                       {{"", "", "roleRef"}, {"", "", "subjects"}},
	{"rbac.authorization.k8s.io", "ClusterRoleBinding"}:                {{"", "", "roleRef"}, {"", "", "subjects"}},
	{"", "PersistentVolume"}:                                           {{"", "PersistentVolumeClaim", "spec/claimRef"}},
	{"apiregistration.k8s.io", "APIService"}:                           {{"", "Service", "spec/service"}},
	{"apiextensions.k8s.io", "CustomResourceDefinition"}:               {{"", "Service", "spec/conversion/webhook/clientConfig/service"}},
	{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"}: {{"", "Service", "webhooks/clientConfig/service"}},
	{"admissionregistration.k8s.io", "MutatingWebhookConfiguration"}:   {{"", "Service", "webhooks/clientConfig/service"}},
}

// reach is the outermost fields that hold a name in an object of any kind.
func reach(opts Options) edit.Reach {
	r := edit.ReachOf("rules").Along(opts.fields)
	for _, path := range podSpecs {
		r.Into(path)
	}
	for _, table := range []map[holder][]reference{references, objectReferences} {
		for _, refs := range table {
			for _, ref := range refs {
				r.Into(ref.path)
			}
		}
	}
	return r
}
