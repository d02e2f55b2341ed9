package reports

import (
	"reflect"
	"time"
)

// Report is what one cluster reports about one object.
type Report struct {
	// Known says that there is a report about the object, with or without a status. A manifest that could not be applied,
	// that was not tried yet, or whose object is gone, is no report.
	Known bool
	// Status is the object's own status, as far as it is reported; nil when there is none, empty when an empty one is
	// reported.
	Status map[string]any
	// Fields is the part of Status that is whole fields of the object's own status. For a WorkStatus it is all of it.
	Fields map[string]any
	// Updated is when the status was last written: the beginning of 1970 when not Known, the zero time when that is not
	// reported.
	Updated time.Time
	// Sources is the number of objects of the same kind that report here. The one with the bytewise smallest name counts;
	// there is a warning about the others.
	Sources int
	// Manifest is what ManifestWorks report about the object; of several, the worst.
	Manifest Manifest
}

// Current reports whether there is a report about the last version that was sent.
func (r Report) Current() bool {
	return r.Known && (r.Manifest.State == Applied || r.Manifest.State == NotReported)
}

// unknown is the report of a cluster without one.
var unknown = Report{Updated: time.Unix(0, 0).UTC()}

// same reports whether r and b are equal.
func (r Report) same(b Report) bool {
	return r.Known == b.Known && r.Sources == b.Sources && r.Updated.Equal(b.Updated) &&
		r.Manifest.same(b.Manifest) && reflect.DeepEqual(r.Status, b.Status) && reflect.DeepEqual(r.Fields, b.Fields)
}

// lastUpdate is the latest time in the managed fields at which a status of obj was written; the zero time when there is none.
func lastUpdate(obj map[string]any) (latest time.Time) {
	for _, e := range list(child(obj, "metadata"), "managedFields") {
		entry, _ := e.(map[string]any)
		if text(entry, "fieldsType") != "FieldsV1" {
			continue
		}
		if _, written := child(entry, "fieldsV1")["f:status"]; !written {
			continue
		}
		if at, err := time.Parse(time.RFC3339, text(entry, "time")); err == nil && at.After(latest) {
			latest = at.UTC()
		}
	}
	return latest
}
