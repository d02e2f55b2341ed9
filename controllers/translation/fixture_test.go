package translation_test

import (
	"crypto/sha1" // #nosec G505 -- ids, as converters make them
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

// fixture is what tests turn knobs on: what there is, and in which version of names and ids.
type fixture struct {
	version  int
	nodes    [4]int // what its bridge is called; 0: not there
	services [6]int // what its rule says; 0: not there
}

func (w fixture) id(text string) string {
	h := sha1.Sum(fmt.Appendf(nil, "%d/%s", w.version, text)) // #nosec G401 -- as above
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

func resource(kind, parent string, pairs ...any) midonet.Resource {
	body := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return midonet.Resource{Kind: kind, Parent: parent, Body: string(data)}
}

// named is a Translation as a translator writes it.
func named(namespace, name string, resources ...midonet.Resource) midonet.Translation {
	return midonet.Translation{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Finalizers: []string{midonet.Finalizer}}, Resources: resources,
	}
}

// translations are those of a fixture.
func (w fixture) translations(namespace string) (all []midonet.Translation) {
	name := func(kind string, n int) string { return fmt.Sprintf("%s.%d.%d", kind, w.version, n) }
	main, services := w.id("main"), w.id("services")
	all = append(all, named("kube-system", name("global", 0),
		resource("Chain", "", "id", main, "name", "main"), resource("Chain", "", "id", services, "name", "services"),
		resource("Rule", main, "id", w.id("jump"), "type", "jump", "jumpChainId", services)))
	for i, n := range w.nodes {
		if n == 0 {
			continue
		}
		b := w.id(fmt.Sprint("bridge", i))
		all = append(all, named(namespace, name("node", i),
			resource("Bridge", "", "id", b, "name", fmt.Sprint("node", n), "inboundFilterId", main),
			resource("Port", b, "id", w.id(fmt.Sprint("port", i)), "type", "Bridge"),
			resource("IPv4MACPair", b, "ip", "10.0.0.1", "mac", fmt.Sprintf("00:00:00:00:00:%02d", n))))
	}
	for i, n := range w.services {
		if n == 0 {
			continue
		}
		c := w.id(fmt.Sprint("service", i))
		all = append(all, named(namespace, name("service", i),
			resource("Chain", "", "id", c, "name", fmt.Sprint("service", i)),
			resource("Rule", services, "id", w.id(fmt.Sprint("to", i)), "type", "jump", "jumpChainId", c),
			resource("Rule", c, "id", w.id(fmt.Sprint("rule", i, n)), "type", "accept", "tpDst", n)))
	}
	return all
}
