package manager_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// porchStatus is a status as Porch writes it, by server-side apply.
const porchStatus = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: blueprints}
status:
  conditions: [{type: Ready, status: "True", reason: Ready, message: Repository Ready, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  lastFullSyncTime: "2026-01-01T00:00:00Z"
  nextFullSyncTime: "2026-01-01T01:00:00Z"
  observedGeneration: 1
  observedRunOnceAt: "2025-12-31T00:00:00Z"
  packageCount: 42
`

const (
	porchFields = "{.status.lastFullSyncTime} {.status.nextFullSyncTime} {.status.observedGeneration} {.status.observedRunOnceAt} {.status.packageCount}"
	porchs      = "2026-01-01T00:00:00Z 2026-01-01T01:00:00Z 1 2025-12-31T00:00:00Z 42"
	ownReady    = `{range .status.conditions[?(@.type=="waybill.dev/Ready")]}{.status}: {.message}{end}`
)

const notifyRole = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: notify}
rules: [{apiGroups: [config.porch.kpt.dev], resources: [repositories], verbs: [patch]}]
`

// TestStatusBesidePorch shares the status of a Repository with a Porch, which writes it while the controller reads the repository:
// the controller writes one condition, and nothing while nothing changes. When the Porch is taken away, the status is the controller's.
func TestStatusBesidePorch(t *testing.T) {
	w := newEnvIn(t, clustertest.Start(t))
	w.kubectl(`apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha1.porch.kpt.dev}
spec: {group: porch.kpt.dev, version: v1alpha1, groupPriorityMinimum: 1000, versionPriority: 15, insecureSkipTLSVerify: true, service: {namespace: porch-system, name: api}}
`, "apply", "-f", "-") // its server is down
	var once sync.Once
	w.start(func(o *manager.Options) {
		o.OnStep = func(_, name string, _ gitrepo.Step) {
			if name != "blueprints" {
				return
			}
			once.Do(func() {
				if out, err := w.Kubectl(w, w.Admin(), porchStatus, "apply", "--server-side", "--subresource=status", "--field-manager=repository-controller",
					"-n", w.namespace, "-f", "-"); err != nil {
					w.Error(err, out)
				}
			})
		}
	})
	const read = "True: the repository can be read"
	w.eventually("the controller has a condition of its own", read, func() string { return w.get("repository/blueprints", ownReady) })
	status := func() string {
		return w.get("repository/blueprints", porchFields) + "\n" + w.ready("repository/blueprints") + "\n" + w.get("repository/blueprints", "{.metadata.resourceVersion}")
	}
	before := status()
	if !strings.HasPrefix(before, porchs+"\nTrue Ready: Repository Ready\n") {
		t.Errorf("what is Porch's is as Porch wrote it; got\n%s", before)
	}
	time.Sleep(2 * time.Second) // six polls
	if after := status(); after != before {
		t.Errorf("nothing is written while nothing changes; before\n%s\nand after\n%s", before, after)
	}
	w.apply("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: lost}\nspec: {type: git, git: {repo: 'http://127.0.0.1:1/lost.git'}}\n")
	w.eventually("an error is in that condition, too", "False", func() string {
		return strings.Split(w.get("repository/lost", ownReady)+":", ":")[0]
	})
	if got := w.ready("repository/lost") + w.get("repository/lost", "{.status.observedGeneration}"); got != "" {
		t.Errorf("Ready is left to Porch; got %q", got)
	}
	w.kubectl("", "delete", "apiservice", "v1alpha1.porch.kpt.dev")
	w.eventually("without a Porch the status is the controller's", "True Ready: the repository can be read", func() string { return w.ready("repository/blueprints") })
	if got := w.get("repository/blueprints", ownReady); got != "" {
		t.Errorf("and it has one condition; got %q", got)
	}
}

// TestPorchOption says by an option whether a Porch is there.
func TestPorchOption(t *testing.T) {
	w := newEnv(t)
	stop := w.start(func(o *manager.Options) { o.Porch = repository.PorchPresent })
	w.eventually("as if a Porch were there", "True: the repository can be read", func() string { return w.get("repository/deployments", ownReady) })
	if got := w.ready("repository/deployments"); got != "" {
		t.Errorf("Ready is left to Porch; got %q", got)
	}
	stop()
	w.start(func(o *manager.Options) { o.Porch = repository.PorchAbsent })
	w.eventually("as if none were", "True Ready: the repository can be read", func() string { return w.ready("repository/deployments") })
}

// TestNotifyPorch tells Porch of every change of a repository: in the field that new releases read, unless a user has set a time
// there, and in an annotation.
func TestNotifyPorch(t *testing.T) {
	w := newEnv(t)
	w.apply(notifyRole, strings.ReplaceAll(contextBinding, "sites", "notify"))
	w.kubectl("", "patch", "repository", "blueprints", "--type=merge", "-p", `{"spec":{"sync":{"runOnceAt":"2999-01-01T00:00:00Z"}}}`)
	w.start(func(o *manager.Options) { o.NotifyPorch = true })
	for _, name := range []string{"blueprints", "deployments"} {
		w.eventually("it is read", "True Ready: the repository can be read", func() string { return w.ready("repository/" + name) })
	}
	told := func(name string) string {
		return w.get("repository/"+name, `{.metadata.annotations.waybill\.dev/changed-at} {.spec.sync.runOnceAt}`)
	}
	if got := told("deployments"); got != " " {
		t.Errorf("nothing has changed yet; got %q", got)
	}
	w.apply(w.objects["eu.yaml"])
	w.eventually("its own push is told", "yes", func() string {
		if at, once, _ := strings.Cut(told("deployments"), " "); at == "" || at != once {
			return at + " " + once
		}
		return "yes"
	})
	w.release(2, nil)
	w.eventually("a push by others is told, and a time in the future stays", "yes", func() string {
		if at, once, _ := strings.Cut(told("blueprints"), " "); at == "" || once != "2999-01-01T00:00:00Z" {
			return at + " " + once
		}
		return "yes"
	})
}
