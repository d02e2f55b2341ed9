package reports

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// feedback puts together a status from what an agent reports about one manifest.
type feedback struct {
	id      Identity
	places  map[string]string // JSON paths by name of the value, as far as the work tells
	remarks []string
	raw     int // bytes of JSON in values so far
}

// value is one reported value.
type value struct {
	spot
	name string
	data any
}

// status returns what is reported, and the part that is whole fields of the object. Both are nil when
// there is nothing in them.
func (f *feedback) status(manifest map[string]any) (status, fields map[string]any) {
	var named, concluded []value
	for _, v := range f.values(list(child(manifest, "statusFeedback"), "values")) {
		switch _, isText := v.data.(string); {
		case v.known && v.condition != "" && isText:
			concluded = append(concluded, v)
		case v.known && v.condition == "" && setField(&fields, v.field, v.data):
		default:
			named = append(named, v)
		}
	}
	status = maps.Clone(fields)
	for _, v := range named {
		if !setField(&status, []string{v.name}, v.data) {
			f.remark("value %q: its name is that of a field, which stays", v.name)
		}
	}
	if conditions := joinConditions(status["conditions"], concluded, list(manifest, "conditions")); conditions != nil {
		if status == nil {
			status = map[string]any{}
		}
		status["conditions"] = conditions
	}
	return status, fields
}

// values reads what an agent reports: fields before those below them, then by name.
func (f *feedback) values(reported []any) (values []value) {
	for _, r := range reported {
		entry, _ := r.(map[string]any)
		v := value{name: text(entry, "name")}
		data, why := f.dataOf(child(entry, "fieldValue"))
		if why != "" {
			f.remark("value %q: %s", v.name, why)
			continue
		}
		if v.data, v.spot = data, f.spotOf(v.name); v.name != "" {
			values = append(values, v)
		}
	}
	slices.SortStableFunc(values, func(a, b value) int {
		return cmp.Or(cmp.Compare(len(a.field), len(b.field)), cmp.Compare(a.name, b.name))
	})
	return values
}

// spotOf prefers what the work says to what a name is known for.
func (f *feedback) spotOf(name string) spot {
	if path, told := f.places[name]; told {
		return spotOfPath(path)
	}
	return spotOfName(kindName{f.id.Group, f.id.Kind}, name)
}

func (f *feedback) remark(format string, args ...any) {
	f.remarks = append(f.remarks, fmt.Sprintf(format, args...))
}

// setField sets a field of m, which it makes when it is nil, and reports whether it did or need not.
// It never replaces another value. Without steps it sets all of m, which must be nil.
func setField(m *map[string]any, steps []string, data any) bool {
	if len(steps) == 0 {
		whole, isMap := data.(map[string]any)
		if !isMap || *m != nil {
			return false
		}
		*m = whole
		return true
	}
	at := *m
	for _, step := range steps[:len(steps)-1] {
		next, isMap := at[step].(map[string]any)
		if _, there := at[step]; there && !isMap {
			return false
		}
		at = next
	}
	last := steps[len(steps)-1]
	if old, there := at[last]; there {
		return reflect.DeepEqual(old, data)
	}
	if *m == nil {
		*m = map[string]any{}
	}
	grow(*m, steps[:len(steps)-1])[last] = data
	return true
}

// grow returns the map at steps below m and makes what is missing.
func grow(m map[string]any, steps []string) map[string]any {
	for _, step := range steps {
		next, _ := m[step].(map[string]any)
		if next == nil {
			next = map[string]any{}
			m[step] = next
		}
		m = next
	}
	return m
}
