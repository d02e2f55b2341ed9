package manager_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const statusPackage = `apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  destinations: [{clusterId: CLUSTER}]
  workload:
    clusterScope:
    - {group: "", version: v1, resource: nodes, name: one, statusCollectors: [phase]}
---
apiVersion: v1
kind: Node
metadata: {name: one}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: phase}
spec:
  select: [{name: phase, def: returned.status.phase}]
  limit: 20
`

const nodeReport = `apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: one}
spec:
  sourceRef: {group: "", version: v1, resource: nodes, kind: Node, namespace: "", name: one}
status: {phase: %s}
`

// TestStatusBranch has what clusters report committed to a branch of a repository that drafts go to as well.
func TestStatusBranch(t *testing.T) {
	w := newEnv(t)
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	data, err := os.ReadFile(filepath.Join("..", "manifests", "combinedstatus", "rbac.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w.apply(string(data))
	dir := w.dirs["deployments"]
	text := strings.Replace(statusPackage, "CLUSTER", w.namespace, 1)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"fleet/all.yaml": text})})
	start := func() func() {
		return w.start(func(o *manager.Options) {
			o.CombinedStatus = &combinedstatus.Options{FirstRetry: 50 * time.Millisecond, Branch: &combinedstatus.BranchOptions{
				Namespace: w.namespace, Name: "deployments", Interval: 300 * time.Millisecond, Publish: statusbranch.Options{Package: "fleet", Branch: "fleet-status"},
			}}
		})
	}
	value := func() string {
		if gittest.Git(t, dir, "for-each-ref", "refs/heads/fleet-status") == "" {
			return "no branch"
		}
		shown := w.show("fleet-status", "fleet/status/shop/_cluster/node_one.yaml")
		_, found, _ := strings.Cut(shown, "string: ")
		found, _, _ = strings.Cut(found, "\n")
		return found
	}
	commits := func() string { return gittest.Git(t, dir, "rev-list", "--count", "fleet-status") }
	says := func(phase string) { w.apply(fmt.Sprintf(nodeReport, phase)) }

	says("Early")
	stop := start()
	w.eventually("what was reported before", "Early", value)
	says("Later")
	w.eventually("what is reported now", "Later", value)
	w.apply(w.objects["eu.yaml"])
	w.eventually("drafts go on", good, func() string { return w.ready("packagevariant/eu") })
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{
		"fleet/all.yaml": strings.Replace(text, "def: returned.status.phase", "def: \"'It is ' + returned.status.phase\"", 1)})})
	w.eventually("what another collector makes of it", "It is Later", value)
	stop()
	says("Last")
	before := commits()
	stop = start()
	w.eventually("what was reported meanwhile", "It is Last", value)
	time.Sleep(time.Second) // three passes
	if got := commits(); got != "4" || before != "3" {
		t.Errorf("%s commits before the restart, %s after", before, got)
	}
	stop()
}
