package publishedresource_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kindred has Orders go along with: Secrets and ConfigMaps that the provider writes, and those that consumers write.
const kindred = orders + `  related:
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

// value is one of a Secret or ConfigMap, "gone" where that is not there.
func (p *place) value(kind, name, key string) string {
	p.Helper()
	text := p.at("v1", kind, name, "data", key)
	if plain, err := base64.StdEncoding.DecodeString(text); err == nil && kind == "Secret" && text != "gone" {
		return string(plain)
	}
	return text
}

func (w *world) holds(reason string, p *place, kind, name, key, want string) {
	w.Helper()
	w.eventually(reason, func() string { return same(want, p.value(kind, name, key)) })
}

func TestRelated(t *testing.T) {
	w := newWorld(t)
	w.home.put(kindred)
	w.start()
	w.order("o", "{wishes: w, keys: k}")
	c := w.becomes("a copy", "o", "{wishes: w, keys: k}")

	w.home.put(secretText("NAMESPACE", "s", "password", "hush-4711"))
	w.home.status(local, "ShopOrder", c.GetName(), `{"status":{"secretName":"s"}}`)
	w.holds("a Secret of the provider", w.shop, "Secret", "s", "password", "hush-4711")
	w.eventually("is told of", func() string {
		return same(fmt.Sprintf(`{"namespace":%q,"name":"s","apiVersion":"v1","kind":"Secret"}`, w.shop.namespace),
			w.shop.at(remote, "Order", "o", "metadata", "annotations", "related-resources.waybill.dev/creds.0"))
	})
	w.home.put(secretText("NAMESPACE", "s", "password", "hush-4712"))
	w.holds("and changes with it", w.shop, "Secret", "s", "password", "hush-4712")

	w.home.put(configText("n1", "note: 'yes', order: o", "a: one"))
	w.home.put(configText("n2", "note: 'yes', order: other", "a: two"))
	w.holds("a ConfigMap that is selected", w.shop, "ConfigMap", "got-n1", "a", "one")
	if w.shop.get("v1", "ConfigMap", "got-n2") != nil {
		t.Error("one that is not selected came along")
	}
	w.home.remove("v1", "ConfigMap", "n1")
	w.holds("goes with its origin", w.shop, "ConfigMap", "got-n1", "a", "gone")

	w.shop.put(configText("w", "", "x: one"))
	w.shop.put(secretText("NAMESPACE", "k", "token", "hush-0815"))
	w.holds("a ConfigMap of the consumer", w.home, "ConfigMap", "w", "x", "one")
	w.holds("a Secret of the consumer", w.home, "Secret", "k", "token", "hush-0815")
	if got := w.shop.get("v1", "Secret", "k").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("it has the finalizers %q", got)
	}
	w.shop.put(secretText("NAMESPACE", "k", "token", "hush-0816"))
	w.holds("which changes", w.home, "Secret", "k", "token", "hush-0816")
	w.shop.put(secretText("NAMESPACE", "k", "other", "hush-0817"))
	w.holds("in all ways", w.home, "Secret", "k", "token", "<nil>")
	w.shop.remove("v1", "ConfigMap", "w")
	w.holds("what the consumer deletes goes", w.home, "ConfigMap", "w", "x", "gone")
	w.holds("and is free to", w.shop, "ConfigMap", "w", "x", "gone")

	w.order("o", "{wishes: w}")
	w.holds("what is not referred to any more goes", w.home, "Secret", "k", "other", "gone")
	w.eventually("and its origin is free", func() string {
		return same([]string(nil), w.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	w.order("o", "{keys: k}")
	w.holds("it is referred to again", w.home, "Secret", "k", "other", "hush-0817")
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.holds("the Secret goes with the Order", w.shop, "Secret", "s", "password", "gone")
	w.holds("in both directions", w.home, "Secret", "k", "other", "gone")
	w.eventually("origins stay, and are free", func() string {
		return same([]string(nil), w.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	w.awaitReady("orders", "True Syncing")
	w.isDiscreet("hush-")
}

// TestMisspeltReference has the author of the PublishedResource misspell a path: no copy goes until that is allowed.
func TestMisspeltReference(t *testing.T) {
	w := newWorld(t)
	w.home.put(kindred)
	w.start()
	w.shop.put(secretText("NAMESPACE", "k", "token", "hush-0815"))
	w.order("o", "{keys: k}")
	w.holds("a Secret of the consumer", w.home, "Secret", "k", "token", "hush-0815")
	misspelt := strings.Replace(kindred, "{path: spec.keys}", "{path: spec.kyes}", 1)
	w.home.put(misspelt)
	w.eventually("the consumer is told", func() string {
		if text := w.told("o")["ReconcilingError"]; !strings.Contains(text, "spec.kyes gives nothing, but spec.keys still names the Secret k") {
			return fmt.Sprintf("the event says %q", text)
		}
		return ""
	})
	w.holds("the copy stays", w.home, "Secret", "k", "token", "hush-0815")
	w.home.put(strings.Replace(misspelt, "metadata: {", `metadata: {annotations: {waybill.dev/allow-empty-selection: "true"}, `, 1))
	w.holds("it goes where that is allowed", w.home, "Secret", "k", "token", "gone")
}

// TestRelatedGivesNothing has the author of the PublishedResource change entries so that they give nothing, or name what is
// not there: copies stay, and the consumer is told.
func TestRelatedGivesNothing(t *testing.T) {
	for name, tc := range map[string]struct{ reason, from, to, want string }{
		"absent": {"the path leads to another field, which names what is not there", "{path: spec.keys}", "{path: spec.other}",
			"x-k is named and is not there; the copies that there are stay until it is"},
		"pattern": {"the pattern makes nothing of it", "{path: spec.keys}", "{path: spec.keys, regex: {pattern: '.*', replacement: ''}}",
			"object.reference.path spec.keys gives nothing for any Order; the copies that there are stay"},
		"template": {"no field says what the template is to say", "{reference: {path: spec.keys}}", "{template: {template: '{{ .Object.spec.sort }}'}}",
			"object.template gives nothing for any Order; the copies that there are stay"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			before := kindred
			if name == "template" {
				before = strings.Replace(kindred, "{reference: {path: spec.keys}}", "{template: {template: '{{ .Object.spec.kind }}-k'}}", 1)
				tc.from = "{template: {template: '{{ .Object.spec.kind }}-k'}}"
			}
			w.home.put(before)
			w.start()
			w.shop.put(secretText("NAMESPACE", "k", "token", "hush-0815"))
			w.shop.put(secretText("NAMESPACE", "a-k", "token", "hush-0815"))
			w.order("o", "{keys: k, kind: a, other: x-k}")
			made := map[bool]string{true: "a-k", false: "k"}[name == "template"]
			w.holds("a Secret of the consumer", w.home, "Secret", made, "token", "hush-0815")
			w.home.put(strings.Replace(before, tc.from, tc.to, 1))
			w.eventually("the consumer is told", func() string {
				if text := w.told("o")["ReconcilingError"]; !strings.Contains(text, tc.want) {
					return fmt.Sprintf("the event says %q", text)
				}
				return ""
			})
			w.holds(tc.reason, w.home, "Secret", made, "token", "hush-0815")
			if name == "absent" {
				w.shop.put(secretText("NAMESPACE", "x-k", "token", "hush-0816"))
				w.holds("the other comes", w.home, "Secret", "x-k", "token", "hush-0816")
				w.holds("and takes its place", w.home, "Secret", made, "token", "gone")
			}
		})
	}
}

// isDiscreet holds all that was said to a secret.
func (w *world) isDiscreet(secret string) {
	w.Helper()
	if strings.Contains(w.log.String(), secret) {
		w.Errorf("the log holds a secret:\n%s", w.log)
	}
	for _, p := range []*place{w.home, w.shop} {
		for _, e := range p.list("v1", "Event", "") {
			if strings.Contains(fmt.Sprint(e.Object["message"]), secret) {
				w.Errorf("an event holds a secret: %v", e.Object["message"])
			}
		}
	}
	for _, o := range w.home.list(own, "PublishedResource", "") {
		if strings.Contains(fmt.Sprint(o.Object["status"]), secret) {
			w.Errorf("a condition holds a secret: %v", o.Object["status"])
		}
	}
	for _, o := range w.home.list("v1", "Secret", state) {
		for _, text := range o.Object["data"].(map[string]any) {
			plain, _ := base64.StdEncoding.DecodeString(text.(string))
			if strings.Contains(string(plain), secret) || strings.Contains(string(plain), base64.StdEncoding.EncodeToString([]byte(secret))[:6]) {
				w.Errorf("a state holds a secret: %s", plain)
			}
		}
	}
}

// TestShared has two Orders go along with one Secret of the consumer, which is free once neither does.
func TestShared(t *testing.T) {
	w := newWorld(t)
	w.home.put(strings.Replace(kindred, "object: {reference: {path: spec.keys}}",
		"object: {selector: {matchLabels: {all: 'yes'}, rewrite: {template: {template: '{{ .RemoteObject.metadata.name }}-{{ .Value }}'}}}}", 1))
	w.shop.put("{apiVersion: v1, kind: Secret, metadata: {name: k, namespace: NAMESPACE, labels: {all: 'yes'}}, stringData: {a: one}}")
	w.order("o", "{}")
	w.order("p", "{}")
	w.start()
	w.holds("one", w.home, "Secret", "o-k", "a", "one")
	w.holds("and the other", w.home, "Secret", "p-k", "a", "one")
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.holds("its copy goes", w.home, "Secret", "o-k", "a", "gone")
	if got := w.shop.get("v1", "Secret", "k").GetFinalizers(); !slices.Contains(got, finalizer) {
		t.Errorf("the other has a copy of it still, and its finalizers are %q", got)
	}
	w.holds("that of the other stays", w.home, "Secret", "p-k", "a", "one")
	w.shop.remove("v1", "Secret", "k")
	w.holds("until it is deleted", w.home, "Secret", "p-k", "a", "gone")
	w.holds("for good", w.shop, "Secret", "k", "a", "gone")
}
