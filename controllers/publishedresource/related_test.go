package publishedresource_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// withRelated copies Secrets and ConfigMaps with Orders: those that the provider writes, and those that consumers write.
const withRelated = orders + `  related:
  - identifier: creds
    origin: service
    version: v1
    resource: secrets
    object: {reference: {path: status.secretName}}
    watch: {byOwner: {}}
  - identifier: notes
    origin: service
    version: v1
    resource: configmaps
    cleanupPolicy: MatchOrigin
    object: {selector: {matchLabels: {note: 'yes', order: '{{ .RemoteObject.metadata.name }}'}, rewrite: {template: {template: 'got-{{ .Value }}'}}}}
    allowedNames: ['n*']
  - identifier: wishes
    origin: kcp
    version: v1
    resource: configmaps
    object: {template: {template: '{{ .Object.spec.wishes | default "" }}'}}
    allowedNames: [w, k]
  - identifier: keys
    origin: kcp
    version: v1
    resource: secrets
    object: {reference: {path: spec.keys}}
    allowedNames: [k, '*-k']
    watch: {bySelector: {matchExpressions: [{key: never, operator: DoesNotExist}]}}
`

func secretText(namespace, name, key, value string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: %s}, data: {%s: %s}}", name, namespace, key, base64.StdEncoding.EncodeToString([]byte(value)))
}

func configText(name, labels, data string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: NAMESPACE, labels: {%s}}, data: {%s}}", name, labels, data)
}

// value is a value of a Secret or ConfigMap; "gone" where that does not exist.
func (p *cluster) value(kind, name, key string) string {
	p.Helper()
	text := p.at("v1", kind, name, "data", key)
	if plain, err := base64.StdEncoding.DecodeString(text); err == nil && kind == "Secret" && text != "gone" {
		return string(plain)
	}
	return text
}

func (f *fixture) awaitValue(reason string, p *cluster, kind, name, key, want string) {
	f.Helper()
	f.eventually(reason, func() string { return diff(want, p.value(kind, name, key)) })
}

func TestRelated(t *testing.T) {
	f := newFixture(t)
	f.home.Put(withRelated)
	f.start()
	f.putOrder("o", "{wishes: w, keys: k}")
	c := f.awaitCopy("a copy", "o", "{wishes: w, keys: k}")

	f.home.Put(secretText("NAMESPACE", "s", "password", "hush-4711"))
	f.home.EditStatus(local, "ShopOrder", c.GetName(), `{"status":{"secretName":"s"}}`)
	f.awaitValue("a Secret of the provider", f.shop, "Secret", "s", "password", "hush-4711")
	f.eventually("an annotation of the Order lists it", func() string {
		return diff(fmt.Sprintf(`{"namespace":%q,"name":"s","apiVersion":"v1","kind":"Secret"}`, f.shop.TestNamespace),
			f.shop.at(remote, "Order", "o", "metadata", "annotations", "related-resources.waybill.dev/creds.0"))
	})
	f.home.Put(secretText("NAMESPACE", "s", "password", "hush-4712"))
	f.awaitValue("a change is copied", f.shop, "Secret", "s", "password", "hush-4712")

	f.home.Put(configText("n1", "note: 'yes', order: o", "a: one"))
	f.home.Put(configText("n2", "note: 'yes', order: other", "a: two"))
	f.awaitValue("a ConfigMap that is selected", f.shop, "ConfigMap", "got-n1", "a", "one")
	if f.shop.get("v1", "ConfigMap", "got-n2") != nil {
		t.Error("a ConfigMap that is not selected was copied")
	}
	f.home.Remove("v1", "ConfigMap", "n1")
	f.awaitValue("the copy is deleted with its origin", f.shop, "ConfigMap", "got-n1", "a", "gone")

	f.shop.Put(configText("w", "", "x: one"))
	f.shop.Put(secretText("NAMESPACE", "k", "token", "hush-0815"))
	f.awaitValue("a ConfigMap of the consumer", f.home, "ConfigMap", "w", "x", "one")
	f.awaitValue("a Secret of the consumer", f.home, "Secret", "k", "token", "hush-0815")
	if got := f.shop.get("v1", "Secret", "k").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("it has the finalizers %q", got)
	}
	f.shop.Put(secretText("NAMESPACE", "k", "token", "hush-0816"))
	f.awaitValue("a change of the consumer is copied", f.home, "Secret", "k", "token", "hush-0816")
	f.shop.Put(secretText("NAMESPACE", "k", "other", "hush-0817"))
	f.awaitValue("a removed key is removed", f.home, "Secret", "k", "token", "<nil>")
	f.shop.Remove("v1", "ConfigMap", "w")
	f.awaitValue("the copy is deleted with the object of the consumer", f.home, "ConfigMap", "w", "x", "gone")
	f.awaitValue("that object is deleted, too", f.shop, "ConfigMap", "w", "x", "gone")

	f.putOrder("o", "{wishes: w}")
	f.awaitValue("the copy of an object that is no longer referred to is deleted", f.home, "Secret", "k", "other", "gone")
	f.eventually("its origin loses the finalizer", func() string {
		return diff([]string(nil), f.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	f.putOrder("o", "{keys: k}")
	f.awaitValue("it is referred to again", f.home, "Secret", "k", "other", "hush-0817")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitValue("the copy at the source is deleted with the Order", f.shop, "Secret", "s", "password", "gone")
	f.awaitValue("so is the copy at the destination", f.home, "Secret", "k", "other", "gone")
	f.eventually("origins stay, and lose the finalizer", func() string {
		return diff([]string(nil), f.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	f.awaitReady("orders", "True Syncing")
	f.checkNoSecret("hush-")
}

// TestMisspeltReference misspells a path of the PublishedResource: no copy is deleted until that is allowed.
func TestMisspeltReference(t *testing.T) {
	f := newFixture(t)
	f.home.Put(withRelated)
	f.start()
	f.shop.Put(secretText("NAMESPACE", "k", "token", "hush-0815"))
	f.putOrder("o", "{keys: k}")
	f.awaitValue("a Secret of the consumer", f.home, "Secret", "k", "token", "hush-0815")
	misspelt := strings.Replace(withRelated, "{path: spec.keys}", "{path: spec.kyes}", 1)
	f.home.Put(misspelt)
	f.eventually("the consumer has an event", func() string {
		if text := f.eventsOf("o")["ReconcilingError"]; !strings.Contains(text, "spec.kyes gives nothing, but spec.keys still names the Secret k") {
			return fmt.Sprintf("the event says %q", text)
		}
		return ""
	})
	f.awaitValue("the copy stays", f.home, "Secret", "k", "token", "hush-0815")
	f.home.Put(strings.Replace(misspelt, "metadata: {", `metadata: {annotations: {waybill.dev/allow-empty-selection: "true"}, `, 1))
	f.awaitValue("the copy is deleted once that is allowed", f.home, "Secret", "k", "token", "gone")
}

// TestRelatedGivesNothing changes entries of the PublishedResource so that they give nothing, or name objects that do not
// exist: copies stay, and the consumer has an event.
func TestRelatedGivesNothing(t *testing.T) {
	for name, tc := range map[string]struct{ reason, from, to, want string }{
		"absent": {"the path leads to another field, which names a missing object", "{path: spec.keys}", "{path: spec.other}",
			"x-k does not exist; the existing copies stay until it does"},
		"pattern": {"the pattern leaves nothing of it", "{path: spec.keys}", "{path: spec.keys, regex: {pattern: '.*', replacement: ''}}",
			"object.reference.path spec.keys gives nothing for any Order; the existing copies stay"},
		"template": {"no field has the result of the template", "{reference: {path: spec.keys}}", "{template: {template: '{{ .Object.spec.sort }}'}}",
			"object.template gives nothing for any Order; the existing copies stay"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			before := withRelated
			if name == "template" {
				before = strings.Replace(withRelated, "{reference: {path: spec.keys}}", "{template: {template: '{{ .Object.spec.kind }}-k'}}", 1)
				tc.from = "{template: {template: '{{ .Object.spec.kind }}-k'}}"
			}
			f.home.Put(before)
			f.start()
			f.shop.Put(secretText("NAMESPACE", "k", "token", "hush-0815"))
			f.shop.Put(secretText("NAMESPACE", "a-k", "token", "hush-0815"))
			f.putOrder("o", "{keys: k, kind: a, other: x-k}")
			made := map[bool]string{true: "a-k", false: "k"}[name == "template"]
			f.awaitValue("a Secret of the consumer", f.home, "Secret", made, "token", "hush-0815")
			f.home.Put(strings.Replace(before, tc.from, tc.to, 1))
			f.eventually("the consumer has an event", func() string {
				if text := f.eventsOf("o")["ReconcilingError"]; !strings.Contains(text, tc.want) {
					return fmt.Sprintf("the event says %q", text)
				}
				return ""
			})
			f.awaitValue(tc.reason, f.home, "Secret", made, "token", "hush-0815")
			if name == "absent" {
				f.shop.Put(secretText("NAMESPACE", "x-k", "token", "hush-0816"))
				f.awaitValue("the other object is copied", f.home, "Secret", "x-k", "token", "hush-0816")
				f.awaitValue("the copy of the first is deleted", f.home, "Secret", made, "token", "gone")
			}
		})
	}
}

// checkNoSecret fails if a log, event, condition or state contains a secret.
func (f *fixture) checkNoSecret(secret string) {
	f.Helper()
	if strings.Contains(f.log.String(), secret) {
		f.Errorf("the log contains a secret:\n%s", f.log)
	}
	for _, p := range []*cluster{f.home, f.shop} {
		for _, e := range p.All("v1", "Event", "") {
			if strings.Contains(fmt.Sprint(e.Object["message"]), secret) {
				f.Errorf("an event contains a secret: %v", e.Object["message"])
			}
		}
	}
	for _, o := range f.home.All(own, "PublishedResource", "") {
		if strings.Contains(fmt.Sprint(o.Object["status"]), secret) {
			f.Errorf("a condition contains a secret: %v", o.Object["status"])
		}
	}
	for _, o := range f.home.All("v1", "Secret", state) {
		for _, text := range o.Object["data"].(map[string]any) {
			plain, _ := base64.StdEncoding.DecodeString(text.(string))
			if strings.Contains(string(plain), secret) || strings.Contains(string(plain), base64.StdEncoding.EncodeToString([]byte(secret))[:6]) {
				f.Errorf("a Secret of states contains a secret: %s", plain)
			}
		}
	}
}

// TestShared relates two Orders to one Secret of the consumer, which loses its finalizer once neither has a copy.
func TestShared(t *testing.T) {
	f := newFixture(t)
	f.home.Put(strings.Replace(withRelated, "object: {reference: {path: spec.keys}}",
		"object: {selector: {matchLabels: {all: 'yes'}, rewrite: {template: {template: '{{ .RemoteObject.metadata.name }}-{{ .Value }}'}}}}", 1))
	f.shop.Put("{apiVersion: v1, kind: Secret, metadata: {name: k, namespace: NAMESPACE, labels: {all: 'yes'}}, stringData: {a: one}}")
	f.putOrder("o", "{}")
	f.putOrder("p", "{}")
	f.start()
	f.awaitValue("one", f.home, "Secret", "o-k", "a", "one")
	f.awaitValue("the other", f.home, "Secret", "p-k", "a", "one")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitValue("its copy is deleted", f.home, "Secret", "o-k", "a", "gone")
	if got := f.shop.get("v1", "Secret", "k").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("the other still has a copy of it, and its finalizers are %q", got)
	}
	f.awaitValue("that of the other stays", f.home, "Secret", "p-k", "a", "one")
	f.shop.Remove("v1", "Secret", "k")
	f.awaitValue("until the Secret is deleted", f.home, "Secret", "p-k", "a", "gone")
	f.awaitValue("the Secret is deleted", f.shop, "Secret", "k", "a", "gone")
}
