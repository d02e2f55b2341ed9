package midonet

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// odd are values that no field expects.
var odd = []*yaml.Node{
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: "a\xff\n\x00/"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: "no number"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: "-9223372036854775808"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "maybe"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagFloat, Value: ".nan"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"},
	{Kind: yaml.ScalarNode, Tag: "!!binary", Value: "%"},
	{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString},
	{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap},
	{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq},
	{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}}},
	{Kind: yaml.AliasNode, Alias: &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}},
}

// TestOddValuesEverywhere puts each odd value into each place of every golden object, and then converts
// all that refer to it, too.
func TestOddValuesEverywhere(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c, tried := converter(t, nil), 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects := read(t, string(a.Files[0].Data))
		for _, o := range objects {
			visit(o.Node(), func(place **yaml.Node) {
				good := *place
				for _, bad := range odd {
					*place = bad
					for _, other := range objects {
						checkLaws(t, c, other, objects)
					}
					tried++
				}
				*place = good
			})
		}
	}
	if tried < 1000 {
		t.Errorf("tried %d values, want more places", tried)
	}
}

// visit shows every value below n.
func visit(n *yaml.Node, show func(place **yaml.Node)) {
	for i := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		show(&n.Content[i])
		visit(n.Content[i], show)
	}
}

// TestHugeLists holds that what is long is long work and nothing else.
func TestHugeLists(t *testing.T) {
	var addresses, ports, duplicates strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&addresses, "{ip: 10.1.%d.%d}, ", i/250, i%250)
		fmt.Fprintf(&ports, "{name: p%d, port: %d}, ", i, i+1)
		duplicates.WriteString("{ip: 10.1.2.7}, ")
	}
	objects := read(t, serviceWith("clusterIP: 10.96.0.10, ports: ["+ports.String()+"]")+"---\n"+
		endpointsWith("addresses: ["+addresses.String()+"], ports: [{name: p1, port: 1}, {name: p2, port: 1}]")+"---\n"+
		endpointsWith("addresses: ["+duplicates.String()+"], ports: [{name: p1, port: 1}]"))
	c := converter(t, nil)
	for i, want := range []int{1001, 2000, 1} {
		if got := len(checkLaws(t, c, objects[i], objects).Translations); got != want {
			t.Errorf("%s has %d Translations, want %d", objects[i].Title(), got, want)
		}
	}
}

// FuzzConvert converts each object that it is given, with all of them to refer to.
func FuzzConvert(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a.Files[0].Data)
	}
	f.Add([]byte(worked))
	c := converter(f, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := krm.Read("fuzz.yaml", data, krm.Limits{Bytes: 1 << 20, Nodes: 10000, Aliased: 10000})
		if err != nil {
			return
		}
		for _, o := range objects {
			checkLaws(t, c, o, objects)
		}
	})
}

// FuzzFields puts text and a number into the fields that are looked into, past what YAML lets pass.
func FuzzFields(f *testing.F) {
	f.Add("n1", "shop", "http", "TCP", "10.96.0.10", "10.1.2.0/24", hostID, "0a:58:0a:01:02:07", int64(80))
	f.Add("a.b", "", "", "", "::ffff:10.0.0.1", "255.255.255.253/0", strings.ToUpper(hostID), "0a58.0a01.0207", int64(65535))
	c := converter(f, nil)
	f.Fuzz(func(t *testing.T, name, namespace, port, protocol, ip, cidr, uuid, mac string, number int64) {
		s := krm.StringNode
		object := func(kind string, rest ...*yaml.Node) *krm.Object {
			annotations := krm.MapNode(s("midonet.org/host-id"), s(uuid), s("midonet.org/tunnel-zone-id"), s(uuid),
				s("midonet.org/tunnel-endpoint-ip"), s(ip), s("midonet.org/mac-address"), s(mac))
			meta := krm.MapNode(s("name"), s(name), s("namespace"), s(namespace), s("annotations"), annotations)
			return krm.FromNode(krm.MapNode(append([]*yaml.Node{s("apiVersion"), s("v1"), s("kind"), s(kind), s("metadata"), meta}, rest...)...))
		}
		list := func(n ...*yaml.Node) *yaml.Node {
			return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: n}
		}
		ports := list(krm.MapNode(s("name"), s(port), s("protocol"), s(protocol),
			s("port"), &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: fmt.Sprint(number)}))
		addresses := list(krm.MapNode(s("type"), s("InternalIP"), s("address"), s(ip), s("ip"), s(ip)))
		objects := []*krm.Object{
			object("Node", s("spec"), krm.MapNode(s("podCIDR"), s(cidr)), s("status"), krm.MapNode(s("addresses"), addresses)),
			object("Pod", s("spec"), krm.MapNode(s("nodeName"), s(name)), s("status"), krm.MapNode(s("podIP"), s(ip))),
			object("Service", s("spec"), krm.MapNode(s("clusterIP"), s(ip), s("ports"), ports)),
			object("Endpoints", s("subsets"), list(krm.MapNode(s("addresses"), addresses, s("ports"), ports))),
		}
		for _, o := range objects {
			checkLaws(t, c, o, objects)
		}
	})
}
