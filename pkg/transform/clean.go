package transform

import "github.com/waybill-dev/waybill/pkg/krm"

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Options are the switches of Clean. The zero value is the recommended one.
type Options struct {
	// NullNodePorts gives every port of a Service an explicit "nodePort: null", as KubeStellar
	// does, instead of removing the field. Both have the same effect; the null is hard to review.
	NullNodePorts bool
}

var (
	inMetadata    = []string{"metadata"}
	inAnnotations = []string{"metadata", "annotations"}
	inLabels      = []string{"metadata", "labels"}
	inSpec        = []string{"spec"}

	// serverOwned are the fields that an API server writes and another one must not receive.
	// creationTimestamp is not among them: KubeStellar keeps it, and Ship removes it.
	serverOwned = []string{
		"managedFields", "finalizers", "generation", "ownerReferences",
		"selfLink", "resourceVersion", "uid", "generateName",
	}
)

// Clean removes from o what belongs to its cluster of origin: server-owned metadata and status
// of every kind, allocated addresses and ports of Services, and the controller's selector and
// labels of Jobs. Emptied maps stay as {}. A second Clean changes nothing.
func Clean(o *krm.Object, opts Options) { (&editor{o: o}).clean(opts) }

func (e *editor) clean(opts Options) {
	e.removeChildren(inMetadata, serverOwned...)
	e.removeChildren(inAnnotations, lastApplied)
	e.remove("status")
	switch {
	case isService(e.o):
		e.cleanService(opts)
	case isJob(e.o):
		e.cleanJob()
	}
}

func isJob(o *krm.Object) bool { return o.APIVersion() == "batch/v1" && o.Kind() == "Job" }

// cleanJob removes what the Job controller fills in. With manualSelector the selector is the
// user's own, and the Job is invalid without it; KubeStellar also removes it.
func (e *editor) cleanJob() {
	e.removeChildren(inSpec, "selector", "suspend")
	e.removeChildren(inAnnotations, "batch.kubernetes.io/job-tracking")
	for _, labels := range [][]string{inLabels, {"spec", "template", "metadata", "labels"}} {
		e.removeChildren(labels, "controller-uid", "batch.kubernetes.io/controller-uid")
	}
}
