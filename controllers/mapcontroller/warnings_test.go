package mapcontroller_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// warningLog gets the warnings of the API server that no handler took.
type warningLog chan string

func (o warningLog) HandleWarningHeaderWithContext(_ context.Context, _ int, _, text string) {
	select {
	case o <- text:
	default:
	}
}

// TestWarningsAreNotLogged makes the value of a Secret the name of a field, which the API server drops with a warning.
func TestWarningsAreNotLogged(t *testing.T) {
	w := newEnvironment(t)
	logged := make(warningLog, 100)
	rest.SetDefaultWarningHandlerWithContext(logged)
	t.Cleanup(func() { rest.SetDefaultWarningHandlerWithContext(rest.WarningLogger{}) })
	w.put(policy)
	w.put(`{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: NAMESPACE, labels: {input: 'yes', color: red}}, data: {x: SHVzaC00NzEx}}`)
	text := strings.NewReplacer("resource: configmaps", "resource: secrets", "resource: probes", "resource: narrows", `"kind": "Probe"`, `"kind": "Narrow"`,
		`"spec": {`, `string(input.data[k]): 1, "spec": {`).Replace(copies)
	w.put(text)
	before := clustertest.Metrics(t)["waybill_map_warnings_total"]
	w.start()
	w.eventually("the output is made", func() string {
		if got := w.at(group+"/v1", "Narrow", "p-s-x", "metadata", "name"); got != "p-s-x" {
			return got
		}
		return ""
	})
	w.eventually("its warning is counted", func() string { // the object may be seen before its writer has its answer
		if got := clustertest.Metrics(t)["waybill_map_warnings_total"]; got <= before {
			return fmt.Sprintf("%v warnings were counted, and %v before", got, before)
		}
		return ""
	})
	close(logged)
	for text := range logged {
		if strings.Contains(text, "SHVzaC00NzEx") {
			t.Errorf("a warning tells a secret: %s", text)
		}
	}
}
