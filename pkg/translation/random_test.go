package translation_test

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/translation"
)

// history is what happens to a package: objects come, change and go, options change, and now and then
// a user damages a Translation.
type history struct {
	*rand.Rand
	objects map[string]string // YAML by kind and name
	config  map[string]string
	options []string      // those that change
	items   []*krm.Object // Translations, as the last run left them
}

func (h *history) pick(of ...string) string { return of[h.Intn(len(of))] }

var allOptions = []string{"view", "allowEmpty", "converters", "version", "updateLimits", "global", "tenant", "onFault"}

// rarely is what to pick from where a fault would hide everything else in a history until it is mended.
func rarely(fault string, sound ...string) []string {
	return append(slices.Repeat(sound, 4), fault)
}

var hosts = []string{"44fb4381-c99d-4389-86c3-fdca765bcbde", "11111111-c99d-4389-86c3-fdca765bcbde", "nonsense", ""}

// step changes one thing.
func (h *history) step() {
	name, ns := h.pick("a", "b", "c"), h.pick("default", "shop")
	switch h.Intn(15) {
	case 0, 1:
		h.objects["Node "+name] = h.node(name)
	case 2, 3:
		h.objects["Pod "+ns+name] = h.pod(ns, name)
	case 4, 5, 6:
		h.objects["Service "+ns+name] = h.service(ns, name)
	case 7, 8, 9:
		h.objects["Endpoints "+ns+name] = h.endpoints(ns, name)
	case 10, 11:
		for _, key := range sortedKeys(h.objects) {
			if h.Intn(4) == 0 {
				delete(h.objects, key)
			}
		}
	case 12, 13:
		option := h.pick(h.options...)
		h.config[option] = h.pick(map[string][]string{
			"view": {"Partial", "Complete"}, "allowEmpty": {"true", "false"}, "version": {"4", "5"}, "updateLimits": {"true", "false"},
			"converters": {"node;pod;service;endpoints", "service;endpoints", "node"}, "global": {"true", "false"}, "tenant": {"midonetkube", "lab"}, "onFault": {"Skip", "Fail"},
		}[option]...)
	case 14:
		h.damage()
	}
}

func (h *history) node(name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata:\n  name: %s\n  annotations:\n    midonet.org/host-id: %q\n%sspec: {podCIDR: %s}\nstatus:\n  addresses:\n  - {type: InternalIP, address: %s}\n",
		name, h.pick(hosts...), h.pick("", "    midonet.org/tunnel-endpoint-ip: 192.0.2.1\n", "    midonet.org/tunnel-endpoint-ip: 192.0.2.2\n",
			"    midonet.org/tunnel-endpoint-ip: 192.0.2.1\n    midonet.org/tunnel-zone-id: 22222222-c99d-4389-86c3-fdca765bcbde\n", "    midonet.org/mac-address: ac:ca:ba:00:00:01\n"),
		h.pick(rarely("10.3.0.0/40", "10.1.0.0/24", "10.1.0.0/24", "10.2.0.0/24")...), h.pick("192.0.2.1", "192.0.2.2", "2001:db8::1"))
}

func (h *history) pod(ns, name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata:\n  name: %s\n  namespace: %s\n%sspec: {nodeName: %q}\nstatus: {phase: %s, podIP: 10.1.0.%d}\n",
		name, ns, h.pick("", "  annotations: {midonet.org/mac-address: \"ac:ca:ba:00:00:02\"}\n", "  uid: u1\n"), h.pick("a", "b", "z", ""),
		h.pick("Running", "Running", "Succeeded"), 1+h.Intn(2))
}

func (h *history) service(ns, name string) string {
	ports := []string{"{name: http, port: 80}", "{name: https, port: 443}", "{name: dns, protocol: UDP, port: 53}"}[:1+h.Intn(3)]
	if h.Intn(10) == 0 {
		ports = append(ports, "{name: signals, protocol: SCTP, port: 3868}")
	}
	return fmt.Sprintf("apiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: %s%s}\nspec: {type: %s, clusterIP: %s, ports: [%s]}\n",
		name, ns, h.pick("", "", ", uid: u1", ", uid: u2"), h.pick("ClusterIP", "ClusterIP", "ClusterIP", "NodePort"),
		h.pick(rarely("nonsense", "10.96.0.1", "10.96.0.2", "10.96.0.3", "10.96.0.4", "10.96.0.5", "10.96.0.6", "None")...), strings.Join(ports, ", "))
}

func (h *history) endpoints(ns, name string) string {
	ips := []string{"{ip: 10.1.0.1}", "{ip: 10.1.0.2}", "{ip: 10.1.0.3}"}[:h.Intn(4)]
	return fmt.Sprintf("apiVersion: v1\nkind: Endpoints\nmetadata: {name: %s, namespace: %s}\nsubsets:\n- addresses: [%s]\n  ports: [{name: %s, port: %s}]\n",
		name, ns, strings.Join(ips, ", "), h.pick("http", "http", "https"), h.pick(rarely("0", "8080", "8080", "8081")...))
}

// damages are what people do to Translations: what is before the arrow becomes what is behind it.
var damages = []string{
	"finalizers:\n  - midonet.org/deleter→finalizers: []", "waybill.dev/generated-by: 'translate'→note: mine", "waybill.dev/map-key: m1-→waybill.dev/map-key: m2-",
	"resources:\n→resources: # mine\n", "type\":\"jump→type\":\"leap", "KUBE-→CUBE-", "parent: \"\"→parent:", "kind: Rule→kind: Rule\n  more: true", "midonet.org/global: \"\"→midonet.org/global: mine",
}

func (h *history) damage() {
	if len(h.items) == 0 {
		return
	}
	i := h.Intn(len(h.items))
	data, err := krm.WriteRaw(h.items[i])
	if err != nil {
		panic(err)
	}
	from, to, _ := strings.Cut(h.pick(damages...), "→")
	objects, err := krm.Read("damaged", []byte(strings.Replace(string(data), from, to, 1)), krm.Limits{})
	if err == nil { // else it was damaged in the same way before, and is not YAML any more
		h.items[i] = objects[0]
	}
}

func (h *history) input(t *testing.T) *fn.Input {
	var text strings.Builder
	for _, key := range sortedKeys(h.objects) {
		text.WriteString("---\n" + h.objects[key])
	}
	items := fntest.Parse(t, "in.yaml", []byte(text.String()))
	for i, o := range items {
		o.SetPath("in.yaml", i)
	}
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: options}\ndata:\n"
	for _, option := range sortedKeys(h.config) {
		config += fmt.Sprintf("  %s: %q\n", option, h.config[option])
	}
	return &fn.Input{Items: slices.Concat(items, h.items), Config: fntest.Parse(t, "config.yaml", []byte(config))[0]}
}

func sortedKeys(m map[string]string) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// TestHistories takes packages through random histories. After each step there are the Translations
// that the naive model has, or an error where it has one, and what need not change is the same object.
func TestHistories(t *testing.T) {
	failures, steps := 0, 0
	for seed := range int64(testenv.Few(45)) {
		h := &history{Rand: rand.New(rand.NewSource(seed)), objects: map[string]string{}, config: map[string]string{"view": "Partial"}, options: allOptions}
		if seed%3 == 0 { // here objects lose and keep the ground on which they stand, more often than otherwise
			h.config["updateLimits"], h.options = "false", []string{"tenant", "version", "global"}
		}
		for range 40 {
			h.step()
			in := h.input(t)
			want, why := naive(t, h.config, in.Items)
			out := translation.Function.Apply(t.Context(), in)
			steps++
			if out.Failed() != (why != "") {
				t.Fatalf("seed %d: failed is %t; the model says %q, the function %s", seed, out.Failed(), why, lines(out))
			}
			if out.Failed() {
				failures++
				continue
			}
			if diff := cmp.Diff(want, contents(out.Items)); diff != "" {
				t.Fatalf("seed %d: Translations (-model +function):\n%s\n%s", seed, diff, lines(out))
			}
			checkSame(t, in.Items, out.Items)
			h.items = translations(out.Items)
			if steps%40 == 7 {
				fntest.CheckLaws(t, settled(), in, nil)
			}
		}
	}
	if failures < steps/20 || failures > steps*3/4 {
		t.Errorf("%d of %d steps fail: that is no test of both", failures, steps)
	}
}

// settled is the function without what it says once: how many Translations a run made, changed and took
// away, which another run on the result does not.
func settled() *fn.Function {
	f := *translation.Function
	f.Run = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := translation.Run(ctx, in)
		if out == nil {
			return out, err
		}
		out.Results = slices.DeleteFunc(out.Results, func(r *sdk.Result) bool {
			if said, _, found := strings.Cut(r.Message, " ("); found && r.ResourceRef == nil && r.Severity == sdk.Info {
				r.Message = said
			}
			return r.Message == "translate: global, 0 Translations" || strings.HasPrefix(r.Message, "translate: 0 inputs") && strings.HasSuffix(r.Message, ", 0 Translations")
		})
		return out, err
	}
	return &f
}

func lines(out *fn.Output) string {
	var b strings.Builder
	for _, r := range out.Results {
		b.WriteString(fn.FormatResult(r) + "\n")
	}
	return b.String()
}

func translations(items []*krm.Object) (out []*krm.Object) {
	for _, o := range items {
		if o.Is(api.Group, api.KindTranslation) {
			out = append(out, o)
		}
	}
	return out
}

// checkSame wants what did not change to be the same object.
func checkSame(t *testing.T, before, after []*krm.Object) {
	t.Helper()
	was := map[krm.ID]*krm.Object{}
	for _, o := range before {
		was[o.ID()] = o
	}
	for _, o := range after {
		if old := was[o.ID()]; old != nil && old != o && krm.Same(old, o) {
			t.Errorf("%s was recreated without a reason", o.Describe())
		}
	}
}
