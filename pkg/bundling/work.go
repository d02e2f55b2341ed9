package bundling

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// What ties a work to the Binding it came from; KubeStellar finds works by these.
const (
	BindingLabel         = "transport.kubestellar.io/originOwnerReferenceBindingKey"
	WDSLabel             = "transport.kubestellar.io/originWdsName"
	GenerationAnnotation = "transport.kubestellar.io/originOwnerReferenceBindingGeneration"
)

// origin is what every work of one Binding has in common.
type origin struct {
	binding    string
	wds        string
	generation string
	id         krm.ID
}

// shardName names the n-th work of a Binding in a cluster.
func (o origin) shardName(n int) string {
	return o.binding + "-" + o.wds + "-" + strconv.Itoa(n)
}

// objectName names the work that holds just that object. KubeStellar takes UIDs, which Git does
// not have; the identity stays the same as long.
func (o origin) objectName(id krm.ID) string {
	return o.binding + "-" + o.wds + "-" + shortHash(id)
}

// shortHash is 12 hex digits that stand for an identity.
func shortHash(id krm.ID) string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:])[:12]
}

// work is a ManifestWork around spec, which several works may share: nobody edits it.
func (o origin) work(cluster, name string, spec *yaml.Node) *krm.Object {
	return krm.FromNode(fields(
		"apiVersion", "work.open-cluster-management.io/v1",
		"kind", "ManifestWork",
		"metadata", fields(
			"namespace", cluster,
			"name", name,
			"labels", fields(BindingLabel, o.binding, WDSLabel, o.wds),
			"annotations", fields(GenerationAnnotation, o.generation, fn.Origin, o.id.String())),
		"spec", spec))
}

// workSpec is the body of a work with those manifests, in that order. resource gives the plural of
// a manifest's kind.
func workSpec(batch []parcel, resource func(parcel) string) *yaml.Node {
	manifests, configs := listNode(), listNode()
	for _, p := range batch {
		manifests.Content = append(manifests.Content, p.object.Node())
		if p.createOnly {
			configs.Content = append(configs.Content, createOnlyConfig(p.object, resource(p)))
		}
	}
	spec := fields("workload", fields("manifests", manifests))
	if len(configs.Content) > 0 {
		krm.SetField(spec, "manifestConfigs", configs)
	}
	return spec
}

// createOnlyConfig tells the agent to leave the object alone once it is there. All four parts of
// the identifier are written, empty ones too, as KubeStellar does.
func createOnlyConfig(o *krm.Object, resource string) *yaml.Node {
	return fields(
		"resourceIdentifier", fields(
			"group", o.Group(),
			"resource", resource,
			"namespace", o.Namespace(),
			"name", o.Name()),
		"updateStrategy", fields("type", "CreateOnly"))
}

// fields is a mapping of alternating names and values; a value is a string or a node.
func fields(namesAndValues ...any) *yaml.Node {
	m := krm.MapNode()
	for i := 0; i < len(namesAndValues); i += 2 {
		value, isNode := namesAndValues[i+1].(*yaml.Node)
		if !isNode {
			value = textNode(namesAndValues[i+1].(string))
		}
		m.Content = append(m.Content, krm.StringNode(namesAndValues[i].(string)), value)
	}
	return m
}

func listNode() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq} }
