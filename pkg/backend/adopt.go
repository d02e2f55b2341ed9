package backend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// compare looks at what is there in place of a resource that was to be created.
func (c *Client) compare(exists, a answer, it *item) operated {
	switch {
	case a.in(it.kind.statuses.gone):
		return operated{failure: c.elsewhere(exists)}
	case !a.ok():
		return operated{failure: c.classify(a)}
	case a.cut:
		return operated{failure: &Failure{Class: ClassPermanent, Status: a.status,
			Message: fmt.Sprintf("it exists already, and what can be read of it is longer than %d bytes", maxAnswer)}}
	case !json.Valid(a.body):
		return operated{failure: &Failure{Class: ClassPermanent, Status: a.status,
			Message: "it exists already, and what can be read of it is no JSON"}}
	}
	fields, err := parseBody(string(a.body))
	if err != nil {
		return operated{unlike: "and what can be read of it cannot be compared; it cannot be replaced"}
	}
	return operated{unlike: differences(it, fields)}
}

// differences says how what is there differs from what is asked for; fields that the request does not have may be
// the backend's own. Empty: not at all.
func differences(it *item, there map[string]any) string {
	wanted, err := parseBody(it.body)
	if err != nil {
		return "" // it was understood before
	}
	var other, more []string
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !bytes.Equal(canonical(wanted[name]), canonical(there[name])) {
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
		return "with another " + safetext.SingleLine(strings.Join(other, ", "), maxField) + "; it cannot be replaced"
	case len(more) > 0:
		return "and has more than is asked for: " + safetext.SingleLine(strings.Join(more, ", "), maxField)
	}
	return ""
}
