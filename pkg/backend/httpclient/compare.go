package httpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// compareExisting compares what the backend has with a resource that was to be created.
func (c *Client) compareExisting(exists, a answer, it *table.Item) Effect {
	switch {
	case a.hasStatus(it.Kind.Statuses.Gone):
		return Effect{Failure: c.conflict(exists)}
	case !a.ok():
		return Effect{Failure: c.classify(a)}
	case a.truncated:
		return Effect{Failure: &Failure{Class: ClassPermanent, Status: a.status,
			Message: fmt.Sprintf("it exists already, and the backend's answer about it is longer than %d bytes", maxAnswer)}}
	case !json.Valid(a.body):
		return Effect{Failure: &Failure{Class: ClassPermanent, Status: a.status,
			Message: "it exists already, and the backend's answer about it is not JSON"}}
	}
	fields, err := table.ParseBody(string(a.body))
	if err != nil {
		return Effect{Difference: "and its content cannot be compared; it cannot be replaced"}
	}
	return Effect{Difference: differences(it, fields)}
}

// differences says how the fields that the backend has differ from those of the request; empty if they do not. Fields that
// only the backend has may be its own.
func differences(it *table.Item, there map[string]any) string {
	wanted, err := table.ParseBody(it.Body)
	if err != nil {
		return "" // Resolve has parsed it
	}
	var other, more []string
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !bytes.Equal(table.Canonical(wanted[name]), table.Canonical(there[name])) {
			other = append(other, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if _, asked := wanted[name]; !asked {
			more = append(more, name)
		}
	}
	switch {
	case len(other) > 0:
		return "with another " + safetext.SingleLine(strings.Join(other, ", "), table.MaxField) + "; it cannot be replaced"
	case len(more) > 0:
		return "and has more fields than requested: " + safetext.SingleLine(strings.Join(more, ", "), table.MaxField)
	}
	return ""
}
