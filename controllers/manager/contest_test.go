package manager_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/manager"
)

// otherStatus is a status as another controller writes it, with a message.
const otherStatus = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: eu}
status:
  conditions: [{type: Ready, status: "True", reason: NoErrors, message: %q, lastTransitionTime: "2026-01-01T00:00:00Z"}]
`

const contested = `another controller works this PackageVariant: the field manager "other" writes its status as well; nothing is drafted until one of the two stops`

// writeOther has the other controller write a status with a message.
func (w *env) writeOther(message string) {
	w.Helper()
	w.kubectl(fmt.Sprintf(otherStatus, message), "apply", "--server-side", "--force-conflicts", "--subresource=status",
		"--field-manager=other", "-f", "-")
}

// TestContested has another controller write the status of a variant for a while. Meanwhile nothing is drafted, and a condition
// and an event name the other; when it stops, the variant goes on.
func TestContested(t *testing.T) {
	w := newEnv(t)
	w.start(func(o *manager.Options) { o.FirstRetry, o.LastRetry = 300*time.Millisecond, 5*time.Second })
	condition := func() string {
		return w.get("packagevariant/eu", `{range .status.conditions[?(@.type=="Contested")]}{.status} {.reason}: {.message}{end}`)
	}
	w.apply(w.objects["eu.yaml"])
	w.eventually("a new variant is drafted", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("no other controller works it", "", condition)

	w.writeOther("the other's")
	w.eventually("the other is named", "True OtherController: "+contested, condition)
	w.eventually("and Ready says it", "False Error: "+contested, func() string { return w.ready("packagevariant/eu") })
	w.apply(strings.Replace(w.objects["lyon.yaml"], "10.2", "10.3", 1))
	for n := range 8 { // as long as the other writes, more often than the first pause of three seconds ends
		w.writeOther(fmt.Sprint("the other's ", n))
		time.Sleep(200 * time.Millisecond)
	}
	if got := w.cidr(draft1)(); got != "10.2.0.0/16" {
		t.Errorf("nothing is drafted meanwhile; got %s", got)
	}
	if got := w.events("PackageVariant"); !strings.Contains(got, "Contested") {
		t.Errorf("an event says it; got\n%s", got)
	}
	w.eventually("when the other stops, the variant goes on", "10.3.0.0/16", w.cidr(draft1))
	w.eventually("as before", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and without the condition", "", condition)
	if log := w.log.String(); !strings.Contains(log, "another controller works a variant") || !strings.Contains(log, "manager=other") {
		t.Errorf("the log names the other; got\n%s", log)
	}
}

// TestContestedAndDeleted deletes a variant that another controller works as well: that does not wait.
func TestContestedAndDeleted(t *testing.T) {
	w := newEnv(t)
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("a new variant is drafted", good, func() string { return w.ready("packagevariant/eu") })
	w.writeOther("the other's")
	w.kubectl("", "delete", "packagevariant/eu", "--timeout=20s")
	w.eventually("its draft is gone", "", w.refs)
}
