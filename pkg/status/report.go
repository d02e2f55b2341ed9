package status

import "time"

// Report is what one destination of the object reports about it.
type Report struct {
	Cluster string
	// Status is the reported status of the object, as plain JSON data; nil when there is none.
	Status map[string]any
	// Known says that there is a report, with or without a status.
	Known bool
	// Updated is when the status was last written; the zero time when that is not known. It counts only with Known.
	Updated time.Time
	// Manifest is what a ManifestWork says about the object, as expressions see it; nil for none.
	Manifest map[string]any
	// Failure says why the cluster does not have the object as it was sent, in one line; "" when it may have it. The report
	// is then about something else, so the row is an error unless the collector refers to manifest.
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
