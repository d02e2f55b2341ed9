package setlabels

import (
	"slices"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// tables are the fields of some kinds that hold labels.
type tables struct {
	labels    types.FsSlice // maps that get every label, made where they are missing
	templates types.FsSlice // of objects; the metadata of each gets every label
	selectors types.FsSlice // maps in which only present labels are replaced
}

// tablesOf returns the tables for o. Kinds named here are those of any group when the group is
// empty, as in the catalogue; those of the core group come from a table of their own, because
// other groups have kinds of their names.
func tablesOf(o *yaml.RNode) tables {
	if o.GetApiVersion() == "v1" {
		return core
	}
	return others
}

var core = tables{
	labels: types.FsSlice{
		made("", "", "metadata/labels"),
		made("", "Service", "spec/selector"),
		made("", "ReplicationController", "spec/selector"),
	},
	templates: types.FsSlice{found("", "ReplicationController", "spec/template")},
	selectors: podSelectors("", "ReplicationController", "spec/template/spec"),
}

var others = tables{
	labels: types.FsSlice{
		made("", "", "metadata/labels"),
		made("", "Deployment", "spec/selector/matchLabels"),
		made("", "ReplicaSet", "spec/selector/matchLabels"),
		made("", "DaemonSet", "spec/selector/matchLabels"),
		made("apps", "StatefulSet", "spec/selector/matchLabels"),
	},
	templates: types.FsSlice{
		found("", "Deployment", "spec/template"),
		found("", "ReplicaSet", "spec/template"),
		found("", "DaemonSet", "spec/template"),
		found("apps", "StatefulSet", "spec/template"),
		found("apps", "StatefulSet", "spec/volumeClaimTemplates"),
		found("batch", "Job", "spec/template"),
		found("batch", "CronJob", "spec/jobTemplate"),
		found("batch", "CronJob", "spec/jobTemplate/spec/template"),
	},
	selectors: slices.Concat(
		selectorsOfOthers,
		types.FsSlice{found("apps", "StatefulSet", "spec/volumeClaimTemplates/spec/selector/matchLabels")},
		podSelectors("", "Deployment", "spec/template/spec"),
		podSelectors("", "ReplicaSet", "spec/template/spec"),
		podSelectors("", "DaemonSet", "spec/template/spec"),
		podSelectors("apps", "StatefulSet", "spec/template/spec"),
		podSelectors("batch", "Job", "spec/template/spec"),
		podSelectors("batch", "CronJob", "spec/jobTemplate/spec/template/spec"),
	),
}

var selectorsOfOthers = types.FsSlice{
	found("batch", "Job", "spec/selector/matchLabels"),
	found("batch", "CronJob", "spec/jobTemplate/spec/selector/matchLabels"),
	found("policy", "PodDisruptionBudget", "spec/selector/matchLabels"),
	found("networking.k8s.io", "NetworkPolicy", "spec/podSelector/matchLabels"),
	found("networking.k8s.io", "NetworkPolicy", "spec/ingress/from/podSelector/matchLabels"),
	found("networking.k8s.io", "NetworkPolicy", "spec/egress/to/podSelector/matchLabels"),
}

// podSelectors are the selectors of other pods in the spec of a pod at path.
func podSelectors(group, kind, path string) types.FsSlice {
	out := types.FsSlice{found(group, kind, path+"/topologySpreadConstraints/labelSelector/matchLabels")}
	for _, affinity := range []string{"/affinity/podAffinity", "/affinity/podAntiAffinity"} {
		out = append(out,
			found(group, kind, path+affinity+"/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels"),
			found(group, kind, path+affinity+"/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels"))
	}
	return out
}

func found(group, kind, path string) types.FieldSpec {
	return types.FieldSpec{Gvk: resid.Gvk{Group: group, Kind: kind}, Path: path}
}

func made(group, kind, path string) types.FieldSpec {
	s := found(group, kind, path)
	s.CreateIfNotPresent = true
	return s
}
