package render

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
)

// record is what the cache keeps of a render. The contents of the changed files follow it. In the cache, packages have the name of
// their folder in the root package, which another render may have under another name.
type record struct {
	Events   []recordedEvent
	Steps    []Step // without the fields that differ from run to run
	Packages int
	Files    []recordedFile
}

type recordedEvent struct {
	Package string
	Step    int // in Steps; -1 for a package whose pipeline begins
	Done    bool
}

type recordedFile struct {
	Path string
	Size int // -1 for a file that was deleted
}

// recordOf makes the record of a result and of the events of its render.
func recordOf(events []Event, result *Result) *record {
	rec := &record{Packages: result.Packages}
	for _, s := range result.Steps {
		s.Took, s.Runner = 0, "cache"
		rec.Steps = append(rec.Steps, s)
	}
	at := -1 // the events of functions come in the order of their steps
	for _, e := range events {
		step := -1
		if e.Step != nil {
			if !e.Done {
				at++
			}
			step = at
		}
		rec.Events = append(rec.Events, recordedEvent{e.Package, step, e.Done})
	}
	return rec
}

// rename gives the packages of rec other names.
func (rec *record) rename(name func(string) string) {
	for i := range rec.Steps {
		rec.Steps[i].Package = name(rec.Steps[i].Package)
	}
	for i := range rec.Events {
		rec.Events[i].Package = name(rec.Events[i].Package)
	}
}

// events are the events of the render.
func (rec *record) events() (events []Event) {
	for _, e := range rec.Events {
		event := Event{Package: e.Package, Done: e.Done}
		if e.Step >= 0 {
			event.Step = &rec.Steps[e.Step]
		}
		events = append(events, event)
	}
	return events
}

// encodeRecord encodes rec and the contents of changes. It is nil when decoding would not return the same.
func encodeRecord(rec *record, changes map[string][]byte) []byte {
	var contents []byte
	for _, p := range slices.Sorted(maps.Keys(changes)) {
		size := len(changes[p])
		if changes[p] == nil {
			size = -1
		}
		rec.Files = append(rec.Files, recordedFile{p, size})
		contents = append(contents, changes[p]...)
	}
	head, err := json.Marshal(rec)
	if err != nil {
		return nil
	}
	data := binary.BigEndian.AppendUint64(nil, uint64(len(head)))
	data = append(append(data, head...), contents...)
	if again, _ := decodeRecord(data); again == nil || !reflect.DeepEqual(rec, again) {
		return nil
	}
	return data
}

// decodeRecord is the reverse of encodeRecord; nil for data that is no record.
func decodeRecord(data []byte) (*record, map[string][]byte) {
	if len(data) < 8 || binary.BigEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, nil
	}
	head, contents := data[8:8+binary.BigEndian.Uint64(data)], data[8+binary.BigEndian.Uint64(data):]
	rec := &record{}
	if json.Unmarshal(head, rec) != nil {
		return nil, nil
	}
	for _, e := range rec.Events {
		if e.Step < -1 || e.Step >= len(rec.Steps) {
			return nil, nil
		}
	}
	changes := make(map[string][]byte, len(rec.Files))
	for _, f := range rec.Files {
		if f.Size > len(contents) {
			return nil, nil
		}
		changes[f.Path] = nil
		if f.Size >= 0 {
			changes[f.Path], contents = contents[:f.Size:f.Size], contents[f.Size:]
		}
	}
	return rec, changes
}
