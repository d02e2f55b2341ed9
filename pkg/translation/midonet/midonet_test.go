package midonet

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func converter(t testing.TB, edit func(*Options)) *Converter {
	t.Helper()
	o := Defaults()
	if edit != nil {
		edit(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// convert converts o, which refers to one of objects.
func convert(c *Converter, o *krm.Object, objects []*krm.Object) Outcome {
	ref, _ := c.Reference(o)
	for _, other := range objects {
		if other.Kind() == ref.Kind && other.Name() == ref.Name && (ref.Namespace == "" || c.namespaceOf(other) == ref.Namespace) {
			return c.Convert(o, other)
		}
	}
	return c.Convert(o, nil)
}

func format(b *strings.Builder, t Translation) {
	fmt.Fprintf(b, "%s/%s\n", t.Namespace, t.Name)
	for _, r := range t.Resources {
		parent := ""
		if r.Parent != "" {
			parent = " in " + r.Parent
		}
		fmt.Fprintf(b, "  %s%s\n    %s\n", r.Kind, parent, r.Body)
	}
}

// summary is an Outcome without its Translations.
func summary(out Outcome) string {
	lines := []string{string(out.Verdict)}
	if out.Reason != "" {
		lines[0] += ": " + out.Reason
	}
	for _, e := range out.Errors {
		lines = append(lines, e.Error())
	}
	for _, n := range out.Notes {
		lines = append(lines, n.Path.String()+": "+n.Text)
	}
	return strings.Join(lines, "\n")
}

// checkLaws holds for the Outcome of every object: tables, goldens, fuzzing and benchmark pass it.
func checkLaws(t testing.TB, c *Converter, o *krm.Object, objects []*krm.Object) Outcome {
	t.Helper()
	before := o.DeepCopy()
	out := convert(c, o, objects)
	if diff := cmp.Diff(summary(out), summary(convert(c, o, objects))); diff != "" {
		t.Errorf("the same object gives the same outcome (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(out.Translations, convert(c, o, objects).Translations); diff != "" {
		t.Errorf("and the same Translations (-first +second):\n%s", diff)
	}
	if !krm.Same(before, o) {
		t.Error("converting an object changes it")
	}
	if strings.ContainsAny(out.Reason, "\r\n") || len(out.Reason) > 1000 {
		t.Errorf("a reason is one line, and not the user's: %q", out.Reason)
	}
	said := map[Verdict]bool{Made: len(out.Translations) > 0, Empty: out.Reason != "", Retry: out.Reason != "", Failed: len(out.Errors) > 0}
	if !said[out.Verdict] || out.Verdict != Made && len(out.Translations)+len(out.Notes) > 0 {
		t.Errorf("an outcome says one thing, and why: %+v", out)
	}
	checkTranslations(t, out.Translations)
	return out
}

func checkTranslations(t testing.TB, all []Translation) {
	t.Helper()
	names, ids := map[string]bool{}, map[string]bool{}
	for _, translation := range all {
		if names[translation.Name] {
			t.Errorf("two Translations are called %s", translation.Name)
		}
		names[translation.Name] = true
		object := api.Translation{Resources: translation.Resources}
		object.Namespace, object.Name = translation.Namespace, translation.Name
		if errs := object.Validate(); len(errs) > 0 || len(validation.IsDNS1123Subdomain(translation.Name)) > 0 {
			t.Errorf("an API server would refuse %s: %v", translation.Name, errs.ToAggregate())
		}
		for _, r := range translation.Resources {
			known := newResource(r)
			if _, ok := TypeOf(r.Kind); !ok || ids[known.identity()] {
				t.Errorf("%s is of no type, or of two Translations", known.identity())
			}
			ids[known.identity()] = true
		}
		if err := CheckUpdate(translation.Resources, translation.Resources); err != nil {
			t.Errorf("what stays the same may stay: %v", err)
		}
	}
}

// TestGolden converts every object of a case.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("want the golden cases, got %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			c, objects := converter(t, nil), read(t, string(a.Files[0].Data))
			for _, o := range objects {
				out := checkLaws(t, c, o, objects)
				fmt.Fprintf(&b, "== %s: %s\n", o.Title(), summary(out))
				for _, translation := range out.Translations {
					format(&b, translation)
				}
			}
			golden(t, file, a, b.String())
		})
	}
}

// golden holds got against the second file of a case.
func golden(t *testing.T, file string, a *txtar.Archive, got string) {
	t.Helper()
	if *update {
		a.Files = append(a.Files[:1], txtar.File{Name: "out.txt", Data: []byte(got)})
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(a.Files) != 2 {
		t.Fatalf("want two files in the case, got %d; go test -update makes the second", len(a.Files))
	}
	if diff := cmp.Diff(string(a.Files[1].Data), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", a.Comment, diff)
	}
}

const worked = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: default}
spec: {clusterIP: 10.96.0.10, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: web, namespace: default}
subsets: [{addresses: [{ip: 10.1.2.7}, {ip: 10.1.2.8}], ports: [{name: http, port: 8080}]}]
`

// TestWorkedExample is the example of the contract, to the letter: what it shows of the names and bodies.
func TestWorkedExample(t *testing.T) {
	c, objects := converter(t, nil), read(t, worked)
	var all []Translation
	for _, o := range objects {
		all = append(all, checkLaws(t, c, o, objects).Translations...)
	}
	want := []Translation{
		{
			Key: Key{"Service", "default", "web"}, Namespace: "default", Name: "service.4.web",
			Resources: []api.Resource{{Kind: "Chain", Body: `{"id":"98e99174-edfa-542e-88e6-3ca9a6215ea8","tenantId":"midonetkube","name":"KUBE-SVC-default/web/http"}`}},
		},
		{
			Key: Key{"Service-Port", "", "default/web/http/10.96.0.10/6/80"}, Namespace: "default",
			Name: "service-port.4.default-web-http-10.96.0.10-6-80-e7fa6be6c8989e75aa153db5a4f4aeabb298fbd5",
			Resources: []api.Resource{{
				Kind: "Rule", Parent: "8ba7d5a7-f323-53d4-8522-ddb2c7158ef0",
				Body: `{"id":"7028e0ed-a6a9-52d7-9967-828321b356ad","type":"jump","dlType":2048,"nwDstAddress":"10.96.0.10","nwDstLength":32,"nwProto":6,"tpDst":{"start":80,"end":80},"jumpChainId":"98e99174-edfa-542e-88e6-3ca9a6215ea8"}`,
			}},
		},
		workedEndpoint("10.1.2.7", "c09ada5c6338829688b1d4299e49e85e2e86f086",
			"bbb24186-d3a9-5abf-9d7b-0b67fbe4a36b", "8821e225-9b52-5876-a4bc-7fb3a882ac6f", "fbbc659e-e7a1-5a46-8778-380e60f7436f", "6323d9b6-bd68-56f2-96a3-f2d62ea96bfb"),
		workedEndpoint("10.1.2.8", "e7f51d4006e422a25028354358cb7a096555991f",
			"667e89a9-713c-5cbb-88a1-8013d30b5b4d", "ad954a87-8e6c-5cf9-9bf0-c9085e55678f", "4dc98bef-7a61-5a69-aac8-bec06c3314a7", "26eb0ae4-4961-5a6f-96f6-31fd00114414"),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("the worked example (-want +got):\n%s", diff)
	}
}

func workedEndpoint(ip, sum, chainID, jumpID, dnatID, snatID string) Translation {
	key := "web/http/10.96.0.10/" + ip + "/8080/TCP"
	return Translation{
		Key: Key{Kind: "Endpoints-Port", Name: key}, Namespace: "default",
		Name: "endpoints-port.4.web-http-10.96.0.10-" + ip + "-8080-tcp-" + sum,
		Resources: []api.Resource{
			{Kind: "Chain", Body: `{"id":"` + chainID + `","tenantId":"midonetkube","name":"KUBE-SEP-` + key + `"}`},
			{Kind: "Rule", Parent: "98e99174-edfa-542e-88e6-3ca9a6215ea8", Body: `{"id":"` + jumpID + `","type":"jump","jumpChainId":"` + chainID + `"}`},
			{Kind: "Rule", Parent: chainID, Body: `{"id":"` + dnatID + `","type":"dnat","flowAction":"accept","natTargets":[{"addressFrom":"` + ip + `","addressTo":"` + ip + `","portFrom":8080,"portTo":8080}]}`},
			{Kind: "Rule", Parent: chainID, Body: `{"id":"` + snatID + `","type":"snat","dlType":2048,"nwSrcAddress":"` + ip + `","nwSrcLength":32,"flowAction":"continue","natTargets":[{"addressFrom":"10.96.0.10","addressTo":"10.96.0.10","portFrom":30000,"portTo":60000}]}`},
		},
	}
}

func TestGlobal(t *testing.T) {
	file := "testdata/global.txt"
	var b strings.Builder
	all := converter(t, nil).Global()
	checkTranslations(t, all)
	for _, translation := range all {
		format(&b, translation)
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("what is there for all objects (-want +got):\n%s", diff)
	}
}

func TestOptions(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		edit   func(*Options)
		want   string
	}{
		"defaults":   {"are fine", func(*Options) {}, ""},
		"none":       {"without converters there is still the global set", func(o *Options) { o.Converters = nil }, ""},
		"tenant":     {"two installations must not share ids by accident", func(o *Options) { o.Tenant = "" }, `tenant: "": name the tenant of the backend, in UTF-8`},
		"odd tenant": {"JSON holds no such text", func(o *Options) { o.Tenant = "a\xff" }, `tenant: "a\xff": name the tenant of the backend, in UTF-8`},
		"version":    {"it is a part of names", func(o *Options) { o.Version = "V/5" }, `version: "V/5": want 1 to 32 lower-case letters and digits, such as "4"`},
		"namespace":  {"Translations must go somewhere", func(o *Options) { o.Namespace = "a/b" }, `namespace: "a/b": want the name of a namespace, such as "default"`},
		"converter":  {"a typo must not start another converter", func(o *Options) { o.Converters = []string{"pods"} }, `converters: "pods": there are node, pod, service, endpoints`},
	} {
		t.Run(name, func(t *testing.T) {
			o := Defaults()
			tc.edit(&o)
			got := ""
			if _, err := New(o); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestVersionAndTenant holds that another version, as another tenant, is another set of everything.
func TestVersionAndTenant(t *testing.T) {
	objects := read(t, worked)
	of := func(edit func(*Options)) (names, ids map[string]bool) {
		names, ids = map[string]bool{}, map[string]bool{}
		c := converter(t, edit)
		all := c.Global()
		for _, o := range objects {
			all = append(all, convert(c, o, objects).Translations...)
		}
		for _, translation := range all {
			names[translation.Name] = true
			for _, r := range translation.Resources {
				ids[strings.Join(newResource(r).names, " ")] = true
			}
		}
		return names, ids
	}
	shared := func(a, b map[string]bool) (n int) {
		for k := range a {
			if b[k] {
				n++
			}
		}
		return n
	}
	names, ids := of(nil)
	newNames, newIDs := of(func(o *Options) { o.Version = "5" })
	if shared(names, newNames) != 0 || shared(ids, newIDs) != 0 || len(ids) != len(newIDs) || len(ids) == 0 {
		t.Errorf("another version shares names or ids: %v %v", newNames, newIDs)
	}
	sameNames, otherIDs := of(func(o *Options) { o.Tenant = "lab-a" })
	if shared(names, sameNames) != len(names) || shared(ids, otherIDs) != 0 {
		t.Errorf("another tenant has other names or the same ids: %v %v", sameNames, otherIDs)
	}
}

func TestHandlesAndReference(t *testing.T) {
	c := converter(t, func(o *Options) { o.Converters, o.Namespace = []string{ConvertPods, ConvertEndpoints}, "shop" })
	for name, tc := range map[string]struct {
		reason, text string
		handles      bool
		want         Ref
	}{
		"pod":          {"a Pod is on a Node", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n1}", true, Ref{"Node", "", "n1"}},
		"unscheduled":  {"or on none yet", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}", true, Ref{}},
		"endpoints":    {"Endpoints are of the Service of their name", "apiVersion: v1\nkind: Endpoints\nmetadata: {name: a}", true, Ref{"Service", "shop", "a"}},
		"off":          {"a converter that is off leaves its kind alone", "apiVersion: v1\nkind: Node\nmetadata: {name: a}", false, Ref{}},
		"other group":  {"a kind of another group is another kind", "apiVersion: example.org/v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n}", false, Ref{}},
		"other kind":   {"Namespaces are not converted", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}", false, Ref{}},
		"without kind": {"not a converter of no name", "apiVersion: v1", false, Ref{}},
	} {
		t.Run(name, func(t *testing.T) {
			o := read(t, tc.text)[0]
			ref, ok := c.Reference(o)
			if diff := cmp.Diff(tc.want, ref); diff != "" || ok != (ref != Ref{}) {
				t.Errorf("%s (-want +got, %v):\n%s", tc.reason, ok, diff)
			}
			if c.Handles(o) != tc.handles {
				t.Errorf("%s: handles is %v", tc.reason, !tc.handles)
			}
			unhandled := c.Convert(o, nil).Errors
			if refused := len(unhandled) == 1 && unhandled[0].Type == field.ErrorTypeNotSupported; refused == tc.handles {
				t.Errorf("%s: converted all the same: %v", tc.reason, unhandled)
			}
		})
	}
}
