package mapcontroller_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// overheard are warnings of an API server that nobody has taken care of.
type overheard chan string

func (o overheard) HandleWarningHeaderWithContext(_ context.Context, _ int, _, text string) {
	select {
	case o <- text:
	default:
	}
}

// TestWarningsAreNotRepeated has a value of a Secret become the name of a field, which the API server drops,
// and says so.
func TestWarningsAreNotRepeated(t *testing.T) {
	w := newWorld(t)
	heard := make(overheard, 100)
	rest.SetDefaultWarningHandlerWithContext(heard)
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
	close(heard)
	for text := range heard {
		if strings.Contains(text, "SHVzaC00NzEx") {
			t.Errorf("a warning tells a secret: %s", text)
		}
	}
}
