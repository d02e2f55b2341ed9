package setannotations

import (
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// standard are the maps that get every annotation; they are made where they are missing.
var standard = types.FsSlice{
	annotations("", "", "", "metadata"),
	annotations("", "v1", "ReplicationController", "spec/template/metadata"),
	annotations("", "", "Deployment", "spec/template/metadata"),
	annotations("", "", "ReplicaSet", "spec/template/metadata"),
	annotations("", "", "DaemonSet", "spec/template/metadata"),
	annotations("", "", "StatefulSet", "spec/template/metadata"),
	annotations("batch", "", "Job", "spec/template/metadata"),
	annotations("batch", "", "CronJob", "spec/jobTemplate/metadata"),
	annotations("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata"),
}

func annotations(group, version, kind, metadata string) types.FieldSpec {
	return types.FieldSpec{
		Gvk:  resid.Gvk{Group: group, Version: version, Kind: kind},
		Path: metadata + "/annotations", CreateIfNotPresent: true,
	}
}
