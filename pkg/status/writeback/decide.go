package writeback

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Options are switches.
type Options struct {
	// StrictCounters counts a counter that a status lacks as 0, which is what Kubernetes means by leaving one out. Otherwise
	// it is ignored, as KubeStellar does: a cluster without a replica is then not visible.
	StrictCounters bool
}

// Object is what is needed of a workload object.
type Object struct {
	ID     reports.Identity
	Labels map[string]string
	// Status is its present status; nil for none.
	Status map[string]any
}

// ObjectOf converts plain data.
func ObjectOf(id reports.Identity, obj map[string]any) Object {
	status, _ := obj["status"].(map[string]any)
	return Object{ID: id, Labels: labelsOf(obj), Status: status}
}

// labelsOf are the labels of obj, including those whose value is no text.
func labelsOf(obj map[string]any) map[string]string {
	metadata, _ := obj["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	out := make(map[string]string, len(labels))
	for key, value := range labels {
		out[key], _ = value.(string)
	}
	return out
}

// Decide decides about the status of o, by what policies request and clusters report.
func Decide(o Object, want Want, seen reports.Object, opts Options) Decision {
	if neverWritten(o.ID) {
		return leave("objects of this kind are never written")
	}
	many, clusters := mode(want)
	switch {
	case many:
		return o.aggregated(seen, clusters, opts)
	case len(clusters) == 1:
		return o.copied(seen.In(clusters[0]), clusters[0])
	case want.Singleton:
		return o.cleared(fmt.Sprintf("%d clusters have the object, one should", len(clusters)))
	case want.Multi:
		return o.cleared("no cluster has the object")
	}
	return o.cleared("no policy requests the status")
}

// neverWritten reports whether the status of a kind belongs to the control plane itself.
func neverWritten(id reports.Identity) bool {
	return id.Group == "" && id.Kind == "Namespace" ||
		id.Group == "apiextensions.k8s.io" && id.Kind == "CustomResourceDefinition"
}

// mode returns whether statuses are aggregated, and the clusters that count.
func mode(want Want) (many bool, clusters []string) {
	switch {
	case want.Singleton && want.Multi:
		clusters = union(want.SingletonClusters, want.MultiClusters)
		return len(clusters) != 1, clusters
	case want.Singleton:
		return false, want.SingletonClusters
	case want.Multi:
		return len(want.MultiClusters) > 1, want.MultiClusters
	}
	return false, nil
}

// copied decides for the status of the one cluster that has the object.
func (o Object) copied(r reports.Report, cluster string) Decision {
	switch {
	case r.Sources == 0 && r.Manifest.Failure() != "":
		return o.cleared(fmt.Sprintf("cluster %q: %s", cluster, r.Manifest.Failure()))
	case r.Sources != 1:
		return o.cleared(fmt.Sprintf("%d objects report from cluster %q, one should", r.Sources, cluster))
	case len(r.Fields) == 0:
		return leave(fmt.Sprintf("cluster %q reports no status", cluster))
	}
	return o.written(Copy, r.Fields, SingletonLabel, MultiLabel, fmt.Sprintf("the status in cluster %q", cluster))
}

// aggregated decides for the statuses of several clusters, in the order of their names.
func (o Object) aggregated(seen reports.Object, clusters []string, opts Options) Decision {
	var statuses []map[string]any
	for _, cluster := range clusters {
		if r := seen.In(cluster); len(r.Fields) > 0 {
			statuses = append(statuses, r.Fields)
		}
	}
	switch len(statuses) {
	case 0:
		return o.cleared("no cluster reports a status")
	case 1:
		return o.written(Copy, statuses[0], SingletonLabel, MultiLabel,
			fmt.Sprintf("the only status from %d clusters", len(clusters)))
	}
	rule, known := aggregations[kindName{o.ID.Group, o.ID.Kind}]
	if !known {
		return leave("statuses of this kind are not aggregated")
	}
	return o.written(Aggregate, rule.join(statuses, opts.StrictCounters), MultiLabel, SingletonLabel,
		fmt.Sprintf("the aggregate of %d statuses from %d clusters", len(statuses), len(clusters)))
}
