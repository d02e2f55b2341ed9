package explain

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// shortNames are what kubectl calls kinds, by the kind and its group.
var shortNames = map[string]krm.ID{
	"cm": {Kind: "ConfigMap"}, "limits": {Kind: "LimitRange"}, "ns": {Kind: "Namespace"}, "po": {Kind: "Pod"},
	"pv": {Kind: "PersistentVolume"}, "pvc": {Kind: "PersistentVolumeClaim"}, "quota": {Kind: "ResourceQuota"},
	"sa": {Kind: "ServiceAccount"}, "svc": {Kind: "Service"},
	"deploy": {Group: "apps", Kind: "Deployment"}, "ds": {Group: "apps", Kind: "DaemonSet"},
	"rs": {Group: "apps", Kind: "ReplicaSet"}, "sts": {Group: "apps", Kind: "StatefulSet"},
	"cj": {Group: "batch", Kind: "CronJob"}, "hpa": {Group: "autoscaling", Kind: "HorizontalPodAutoscaler"},
	"pdb": {Group: "policy", Kind: "PodDisruptionBudget"},
	"ing": {Group: "networking.k8s.io", Kind: "Ingress"}, "netpol": {Group: "networking.k8s.io", Kind: "NetworkPolicy"},
	"crd": {Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}, "sc": {Group: "storage.k8s.io", Kind: "StorageClass"},
}

// isShort reports whether kind is a short name of what id is.
func isShort(kind string, id krm.ID) bool {
	short, known := shortNames[strings.ToLower(kind)]
	return known && short.Kind == id.Kind && short.Group == id.Group
}
