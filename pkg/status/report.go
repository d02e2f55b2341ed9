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
