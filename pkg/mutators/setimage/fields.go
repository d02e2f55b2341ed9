package setimage

import (
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// standard are the fields of Kubernetes' own kinds that name an image.
var standard = func() (out types.FsSlice) {
	for _, k := range []struct{ group, kind, podSpec string }{
		{"", "Pod", "spec"},
		{"", "PodTemplate", "template/spec"},
		{"", "ReplicationController", "spec/template/spec"},
		{"", "Deployment", "spec/template/spec"},
		{"", "ReplicaSet", "spec/template/spec"},
		{"", "DaemonSet", "spec/template/spec"},
		{"", "StatefulSet", "spec/template/spec"},
		{"batch", "Job", "spec/template/spec"},
		{"batch", "CronJob", "spec/jobTemplate/spec/template/spec"},
	} {
		for _, field := range []string{"containers[]/image", "initContainers[]/image", "ephemeralContainers[]/image",
			"volumes[]/image/reference"} {
			out = append(out, types.FieldSpec{Gvk: resid.Gvk{Group: k.group, Kind: k.kind}, Path: k.podSpec + "/" + field})
		}
	}
	return out
}()
