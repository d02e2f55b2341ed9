package translation

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// globalFolder is the folder of Translations of no object.
const globalFolder = "midonet-global"

// longestStem limits the part of a name in a file name, which has at most 255 bytes.
const longestStem = 200

// items builds the Translations of an object, nil for the global ones.
func items(translations []midonet.Translation, object *krm.Object) (out []*krm.Object) {
	folder, uid := globalFolder, ""
	if object != nil {
		folder, uid = strings.ToLower(object.Kind()), object.String("metadata", "uid")
	}
	for _, tr := range translations {
		meta := krm.MapNode(word("name"), text(tr.Name), word("namespace"), text(tr.Namespace))
		switch {
		case object == nil:
			meta.Content = append(meta.Content, word("labels"), krm.MapNode(word(api.GlobalLabel), text("")))
		case uid != "":
			meta.Content = append(meta.Content,
				word("labels"), krm.MapNode(word(api.OwnerUIDLabel), text(uid)),
				word("ownerReferences"), listNode(reference(object, uid)))
		}
		meta.Content = append(meta.Content, word("finalizers"), listNode(word(api.Finalizer)))
		o := krm.FromNode(krm.MapNode(
			word("apiVersion"), word(api.APIVersion), word("kind"), word(api.KindTranslation),
			word("metadata"), meta, word("resources"), resourcesNode(tr.Resources)))
		o.SetPath(file(folder, tr), 0)
		out = append(out, o)
	}
	return out
}

// text is any text, and word one that needs no quotes: a fixed name, or an id.
func text(s string) *yaml.Node { return krm.StringNode(s) }

func word(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s}
}

func listNode(of ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: of}
}

// reference is an owner reference for the garbage collector that names no controller.
func reference(o *krm.Object, uid string) *yaml.Node {
	return krm.MapNode(
		word("apiVersion"), text(o.APIVersion()), word("kind"), text(o.Kind()), word("name"), text(o.Name()), word("uid"), text(uid))
}

func resourcesNode(resources []api.Resource) *yaml.Node {
	list := listNode()
	for _, r := range resources {
		body := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: r.Body, Style: yaml.SingleQuotedStyle}
		list.Content = append(list.Content, krm.MapNode(word("kind"), word(r.Kind), word("parent"), word(r.Parent), word("body"), body))
	}
	return list
}

// resourcesOf are the resources of a Translation, without invalid ones: these were never pushed.
func resourcesOf(o *krm.Object) (out []api.Resource) {
	list := o.Lookup("resources")
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, n := range list.Content {
		r := api.Resource{Kind: scalar(n, "kind"), Parent: scalar(n, "parent"), Body: scalar(n, "body")}
		if r.Kind != "" && r.Body != "" {
			out = append(out, r)
		}
	}
	return out
}

func scalar(n *yaml.Node, name string) string {
	v := krm.Lookup(n, name)
	if v == nil || v.Kind != yaml.ScalarNode || v.ShortTag() == yaml.NodeTagNull {
		return ""
	}
	return v.Value
}

// file is the file of a Translation: its owner's kind, its namespace and its name together are unique. A name that is too
// long is cut and gets a hash.
func file(folder string, tr midonet.Translation) string {
	stem := tr.Name
	if len(stem) > longestStem {
		sum := sha256.Sum256([]byte(stem))
		stem = stem[:longestStem] + "-" + hex.EncodeToString(sum[:])[:12]
	}
	return path.Join("translations", folder, tr.Namespace, stem+".yaml")
}
