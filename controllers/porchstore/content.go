package porchstore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// treeOf is the content of resources.
func treeOf(res *porch.PackageRevisionResources) (pkgtree.Tree, error) {
	files := make(map[string][]byte, len(res.Spec.Resources))
	for p, text := range res.Spec.Resources {
		files[p] = []byte(text)
	}
	return pkgtree.New(files)
}

// textsOf is the content as resources have it.
func textsOf(tree pkgtree.Tree) map[string]string {
	texts := map[string]string{}
	for p, b := range tree.All() {
		texts[p] = string(b.Data())
	}
	return texts
}

// digestOf is a digest of what content means. Porch formats YAML in its own way and notes in a Kptfile how its render went: neither
// changes the digest.
func digestOf(tree pkgtree.Tree) string {
	sum := sha256.New()
	write := func(data []byte) {
		part := sha256.Sum256(data)
		sum.Write(part[:])
	}
	for p, b := range tree.All() {
		write([]byte(p))
		write(meaning(p, b.Data()))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// meaning is a file's objects, one JSON after another; a file that is not YAML means its bytes.
func meaning(p string, data []byte) []byte {
	base := path.Base(p)
	if ext := path.Ext(base); ext != ".yaml" && ext != ".yml" && base != kptfile.Name {
		return data
	}
	var out []byte
	for _, doc := range krm.Documents(data) {
		object, err := yaml.YAMLToJSON(doc)
		if err != nil {
			return data
		}
		if base == kptfile.Name {
			object = withoutStatus(object)
		}
		if !bytes.Equal(object, []byte("null")) { // nothing but comments
			out = append(append(out, object...), '\n')
		}
	}
	return out
}

// withoutStatus is a Kptfile without its status.
func withoutStatus(object []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return object
	}
	delete(fields, "status")
	out, err := json.Marshal(fields)
	if err != nil {
		return object
	}
	return out
}
