package translation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation"
)

// summary is a Translation in a few lines: its name, then kind, parent and body of each resource.
func summary(t *testing.T, o *krm.Object) string {
	t.Helper()
	tr, errs := api.DecodeTranslation(o)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	lines := []string{tr.Namespace + "/" + tr.Name}
	for _, r := range tr.Resources {
		lines = append(lines, "  "+strings.TrimSpace(r.Kind+" "+r.Parent)+" "+r.Body)
	}
	return strings.Join(lines, "\n")
}

// TestWorkedExample holds the example of the design to the letter: names, ids, parents and what rules do.
func TestWorkedExample(t *testing.T) {
	const objects = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {type: ClusterIP, clusterIP: 10.96.0.10, ports: [{name: http, protocol: TCP, port: 80}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: web, namespace: default}
subsets:
- addresses: [{ip: 10.1.2.7}, {ip: 10.1.2.8}]
  ports: [{name: http, port: 8080, protocol: TCP}]
`
	var got []string
	for _, o := range apply(t, &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte(objects))}) {
		if o.Is(api.Group, api.KindTranslation) && o.Namespace() == "default" {
			got = append(got, summary(t, o))
		}
	}
	slices.Sort(got)
	endpoint := func(name, ip, chain, jump, dnat, snat string) string {
		return "default/endpoints-port.4.web-http-10.96.0.10-" + ip + "-8080-tcp-" + name + `
  Chain {"id":"` + chain + `","tenantId":"midonetkube","name":"KUBE-SEP-web/http/10.96.0.10/` + ip + `/8080/TCP"}
  Rule 98e99174-edfa-542e-88e6-3ca9a6215ea8 {"id":"` + jump + `","type":"jump","jumpChainId":"` + chain + `"}
  Rule ` + chain + ` {"id":"` + dnat + `","type":"dnat","flowAction":"accept","natTargets":[{"addressFrom":"` + ip + `","addressTo":"` + ip + `","portFrom":8080,"portTo":8080}]}
  Rule ` + chain + ` {"id":"` + snat + `","type":"snat","dlType":2048,"nwSrcAddress":"` + ip + `","nwSrcLength":32,"flowAction":"continue","natTargets":[{"addressFrom":"10.96.0.10","addressTo":"10.96.0.10","portFrom":30000,"portTo":60000}]}`
	}
	want := []string{
		endpoint("c09ada5c6338829688b1d4299e49e85e2e86f086", "10.1.2.7", "bbb24186-d3a9-5abf-9d7b-0b67fbe4a36b",
			"8821e225-9b52-5876-a4bc-7fb3a882ac6f", "fbbc659e-e7a1-5a46-8778-380e60f7436f", "6323d9b6-bd68-56f2-96a3-f2d62ea96bfb"),
		endpoint("e7f51d4006e422a25028354358cb7a096555991f", "10.1.2.8", "667e89a9-713c-5cbb-88a1-8013d30b5b4d",
			"ad954a87-8e6c-5cf9-9bf0-c9085e55678f", "4dc98bef-7a61-5a69-aac8-bec06c3314a7", "26eb0ae4-4961-5a6f-96f6-31fd00114414"),
		`default/service-port.4.default-web-http-10.96.0.10-6-80-e7fa6be6c8989e75aa153db5a4f4aeabb298fbd5
  Rule 8ba7d5a7-f323-53d4-8522-ddb2c7158ef0 {"id":"7028e0ed-a6a9-52d7-9967-828321b356ad","type":"jump","dlType":2048,"nwDstAddress":"10.96.0.10","nwDstLength":32,"nwProto":6,"tpDst":{"start":80,"end":80},"jumpChainId":"98e99174-edfa-542e-88e6-3ca9a6215ea8"}`,
		`default/service.4.web
  Chain {"id":"98e99174-edfa-542e-88e6-3ca9a6215ea8","tenantId":"midonetkube","name":"KUBE-SVC-default/web/http"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Translations (-want +got):\n%s", diff)
	}
}

// TestOneChange moves one of 400 addresses: every item but those of its owner is the very same object.
func TestOneChange(t *testing.T) {
	before := apply(t, &fn.Input{Items: cluster(t, 200)})
	after := apply(t, &fn.Input{Items: moved(t, before, "web-123", "10.0.0.247", "10.200.0.1")})
	was := map[*krm.Object]bool{}
	for _, o := range before {
		was[o] = true
	}
	var changed []string
	for _, o := range after {
		if !was[o] {
			changed = append(changed, o.ID().String()+" of "+applyset.TagsOf(o).Owner)
		}
		delete(was, o)
	}
	want := []string{
		"/Endpoints/shop/web-123 of ",
		"midonet.org/Translation/shop/endpoints-port.4.web-123-http-10.96.0.123-10.200.0.1-8080-tcp-450ee1daa523dc4f44801ba11f31ab4cf7686d53 of /Endpoints/shop/web-123",
	}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	var gone []string
	for o := range was {
		gone = append(gone, o.ID().String())
	}
	slices.Sort(gone)
	want = []string{
		"/Endpoints/shop/web-123",
		"midonet.org/Translation/shop/endpoints-port.4.web-123-http-10.96.0.123-10.0.0.247-8080-tcp-86482c49632dbac1ece582937d44f6e2c8b76bbd",
	}
	if diff := cmp.Diff(want, gone); diff != "" {
		t.Errorf("gone (-want +got):\n%s", diff)
	}
}

// TestAgain runs on its own result: every item is the very same object.
func TestAgain(t *testing.T) {
	before := apply(t, &fn.Input{Items: cluster(t, 50)})
	if after := apply(t, &fn.Input{Items: before}); !slices.Equal(before, after) {
		t.Error("a second run recreated some objects")
	}
}

// TestFileNames wants a file of its own for every Translation, that every file system takes.
func TestFileNames(t *testing.T) {
	long := strings.Repeat("n", 240)
	var objects strings.Builder
	for i := range 20 { // names that differ behind what fits
		fmt.Fprintf(&objects, "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: %s\n  annotations: {midonet.org/host-id: 44fb4381-c99d-4389-86c3-fdca765bcb%02d}\nspec: {podCIDR: 10.1.%d.0/24}\n", fmt.Sprintf("%s%03d", long, i), i+10, i)
	}
	files := map[string]krm.ID{}
	for _, o := range apply(t, &fn.Input{Items: fntest.Parse(t, "in.yaml", []byte(objects.String()))}) {
		if !o.Is(api.Group, api.KindTranslation) {
			continue
		}
		if other, taken := files[o.File()]; taken {
			t.Errorf("%s and %s are both in %s", other, o.ID(), o.File())
		}
		files[o.File()] = o.ID()
		for part := range strings.SplitSeq(o.File(), "/") {
			if len(part) > 255 {
				t.Errorf("%d bytes are no name of a file: %s", len(part), part)
			}
		}
	}
	if want := 20 + 3; len(files) != want {
		t.Errorf("%d files, want %d", len(files), want)
	}
}

// TestDocument holds the text that the function prints to the options that there are.
func TestDocument(t *testing.T) {
	for _, option := range []string{"tenant", "version", "converters", "global", "namespace", "view", "allowEmpty", "maxDeletions", "adopt", "updateLimits"} {
		if !strings.Contains(translation.Function.Doc.Long, "| `"+option+"` |") {
			t.Errorf("the table of options lacks %s", option)
		}
	}
}
