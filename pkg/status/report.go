package status

import "time"

// Report is what one cluster, a destination of the object, says about it.
type Report struct {
	Cluster string
	// Status is the reported status of the object, as plain JSON data; nil when there is none.
	Status map[string]any
	// Known says that there is a report, be it without a status.
	Known bool
	// Updated is when the status was last written; the zero time when nothing tells. It does not count
	// unless Known.
	Updated time.Time
	// Manifest is what a ManifestWork says about the object, as expressions see it; nil when none does.
	Manifest map[string]any
	// Failure says why the cluster does not have the object as it was sent, in one line; "" when it may have
	// it. What it reports is then about something else, so that the row of a collector that does not ask for
	// manifest is an error.
	Failure string
}

// updated is what expressions see as the time of the last update.
func (r Report) updated() time.Time {
	if !r.Known {
		return time.Unix(0, 0).UTC()
	}
	return r.Updated.UTC()
}

// status is what expressions see as the status.
func (r Report) status() map[string]any {
	if !r.Known {
		return nil
	}
	return r.Status
}
