package reports

import (
	"cmp"
	"maps"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// agentPrefix is what the agent writes before the message of the API server.
const agentPrefix = "Failed to apply manifest: "

// longestMessage bounds messages, in bytes.
const longestMessage = 1024

// reasonOf is the reason of a condition, in one line.
func reasonOf(condition map[string]any) string {
	message := strings.Join(strings.Fields(text(condition, "message")), " ")
	message = strings.TrimPrefix(message, agentPrefix)
	return safetext.Cut(cmp.Or(message, text(condition, "reason"), "no reason is given"), longestMessage, "...")
}

// withheld replaces what an API server says about a Secret, which may quote its content.
const withheld = "the message of the API server is withheld, as it may quote the Secret; the ManifestWork has it"

// conditionsOf are the conditions of a manifest, without what may quote a Secret. They are shared if nothing is removed.
func conditionsOf(id Identity, manifest map[string]any) []any {
	conditions := list(manifest, "conditions")
	if id.Group != "" || id.Kind != "Secret" {
		return conditions
	}
	out := make([]any, len(conditions))
	for i, c := range conditions {
		condition, isMap := c.(map[string]any)
		if out[i] = c; isMap && text(condition, "type") == "Applied" && text(condition, "status") != "True" {
			condition = maps.Clone(condition)
			condition["message"] = withheld
			out[i] = condition
		}
	}
	return out
}
