package manager_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/shard"
)

// shardKey divides the objects of these tests.
const shardKey = "sharding.example.com/key"

// shardProcess is a controller of a part of the objects, and what it wrote to the API server and read from Git servers.
type shardProcess struct {
	*process
	wire   *wire
	mu     sync.Mutex
	writes []string
	steps  int
}

var writtenTo = regexp.MustCompile(`^/apis/config\.porch\.kpt\.dev/[^/]+/namespaces/[^/]+/(.*)`)

// launchShard starts a controller of the objects that a selector selects.
func (f *fleet) launchShard(selector string, s setup) *shardProcess {
	f.Helper()
	return f.launchPart(f.selected(selector), s)
}

// selected is the shard of a selector.
func (f *fleet) selected(selector string) shard.Shard {
	f.Helper()
	parsed, err := labels.Parse(selector)
	if err != nil {
		f.Fatal(err)
	}
	return shard.Shard{Selector: parsed}
}

// launchPart starts a controller of a shard.
func (f *fleet) launchPart(of shard.Shard, s setup) *shardProcess {
	f.Helper()
	sh := &shardProcess{wire: newWire()}
	sh.wire.after = sh.record
	tune := s.tune
	s.wire, s.tune = sh.wire, func(o *manager.Options) {
		o.Shard, o.Lease = of, ""
		if o.OnStep == nil {
			o.OnStep = sh.onStep
		}
		if tune != nil {
			tune(o)
		}
	}
	sh.process = f.launch(s)
	return sh
}

// record notes a write that the API server accepted.
func (sh *shardProcess) record(answer *http.Response) {
	path := writtenTo.FindStringSubmatch(answer.Request.URL.Path)
	if path == nil || answer.Request.Method == http.MethodGet || answer.StatusCode >= http.StatusMultipleChoices {
		return
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.writes = append(sh.writes, path[1])
}

func (sh *shardProcess) onStep(string, string, gitrepo.Step) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.steps++
}

// wrote are the objects that it wrote, sorted, each once.
func (sh *shardProcess) wrote() []string {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	var objects []string
	for _, path := range sh.writes {
		objects = append(objects, strings.TrimSuffix(path, "/status"))
	}
	slices.Sort(objects)
	return slices.Compact(objects)
}

// clear forgets what it wrote.
func (sh *shardProcess) clear() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.writes = nil
}

// label gives an object the label of a shard; "" takes it away.
func (f *fleet) label(object, value string) {
	f.Helper()
	change := shardKey + "=" + value
	if value == "" {
		change = shardKey + "-"
	}
	f.kubectl("", "label", "--overwrite", object, change)
}

// grantLeases lets the controllers of these shards elect a leader each: what the manifests grant is the lease of everything.
func (f *fleet) grantLeases(selectors ...string) {
	f.Helper()
	var names []string
	for _, selector := range selectors {
		names = append(names, manager.LeaseName([]string{f.namespace}, f.selected(selector)))
	}
	f.controller() // the namespace of its account
	role := `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: shards}
rules:
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [` + strings.Join(names, ", ") + `]
  verbs: [get, update]
---
` + strings.ReplaceAll(contextBinding, "name: sites", "name: shards")
	if _, err := f.Kubectl(f, f.Admin(), role, "apply", "-f", "-", "-n", system); err != nil {
		f.Fatal(err)
	}
}

// TestLeaseName wants shards that differ to have leases that differ, in every order of their parts.
func TestLeaseName(t *testing.T) {
	many := make([]string, 20)
	for i := range many {
		many[i] = "namespace-" + strings.Repeat("x", i)
	}
	for name, tc := range map[string]struct {
		reason     string
		namespaces []string
		selector   string
		number     int
		count      int
		want       string
	}{
		"all":        {"everything", nil, "", 0, 0, "controller.waybill.dev"},
		"namespace":  {"a name that a role can be given by hand", []string{"fleet"}, "", 0, 0, "fleet.controller.waybill.dev"},
		"namespaces": {"their order and number do not matter", []string{"b", "a", "b"}, "", 0, 0, "a.b.controller.waybill.dev"},
		"dash":       {"no dash makes two of one", []string{"a-b"}, "", 0, 0, "a-b.controller.waybill.dev"},
		"selector":   {"a selector is hashed", nil, "x=1,a in (c,b)", 0, 0, "controller.waybill.dev-a6c683d983"},
		"same":       {"as what it means", nil, "a in (b, c),x = 1", 0, 0, "controller.waybill.dev-a6c683d983"},
		"both":       {"both", []string{"fleet"}, "a", 0, 0, "fleet.controller.waybill.dev-ca978112ca"},
		"number":     {"so is a number", nil, "", 1, 2, "controller.waybill.dev-d939926f05"},
		"another":    {"each has its own", nil, "", 2, 2, "controller.waybill.dev-58c0e7476a"},
		"one":        {"one of one is all", nil, "", 1, 1, "controller.waybill.dev"},
		"long":       {"no lease has a longer name", many, "", 0, 0, "controller.waybill.dev-e9ec514ae9"},
	} {
		t.Run(name, func(t *testing.T) {
			parsed, err := labels.Parse(tc.selector)
			if err != nil {
				t.Fatal(err)
			}
			if got := manager.LeaseName(tc.namespaces, shard.Shard{Selector: parsed, Number: tc.number, Count: tc.count}); got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}
