package mapcontroller_test

import (
	"strings"
	"testing"
)

// TestSecretsAreRedacted makes outputs from a Secret that the API server refuses with an error that quotes the value.
func TestSecretsAreRedacted(t *testing.T) {
	const hush = "SHVzaC00NzEx"
	for name, tc := range map[string]struct{ reason, from, to string }{
		"Name":  {"a name that is none", `input.metadata.name + "-" + k}`, `input.data[k]}`},
		"Label": {"a label that is none", `input.metadata.name + "-" + k}`, `input.metadata.name, "labels": {"l": input.data[k] + "!"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnvironment(t)
			w.put(policy)
			w.put(`{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: NAMESPACE, labels: {input: 'yes', color: red}}, data: {x: ` + hush + `}}`)
			text := strings.Replace(copies, "resource: configmaps", "resource: secrets", 1)
			w.put(strings.Replace(text, tc.from, tc.to, 1))
			w.start()
			note := w.awaitEvent("p", "Invalid")
			for where, text := range map[string]string{"event": note, "condition": w.awaitReady("copies", "False Failing"), "log": w.log.String()} {
				if strings.Contains(strings.ToLower(text), strings.ToLower(hush)) {
					t.Errorf("%s: the %s tells a secret: %s", tc.reason, where, text)
				}
			}
		})
	}
}
