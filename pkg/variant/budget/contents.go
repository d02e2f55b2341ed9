package budget

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// class says how a difference counts.
type class int

const (
	counted class = iota // an object or a manifest
	frame                // a ManifestWork without its manifests: an object when it stays and differs
	beside               // other content: it counts for the cluster whose folder it is in
)

// key is what makes content the same content, only changed: whose it is, and its identity, which
// for a file that holds no objects is its path.
type key struct {
	class   class
	cluster string
	id      krm.ID
}

// content is an object's node, or a whole file.
type content struct {
	node *yaml.Node
	blob *pkgtree.Blob
}

// contents is what files hold. Mostly there is one content to a key.
type contents map[key][]content

// add adds a file, which may be nil.
func (c contents) add(file string, blob *pkgtree.Blob) {
	if blob == nil {
		return
	}
	cluster := clusterOf(file)
	if !variant.IsResource(file) {
		c.put(key{beside, cluster, krm.ID{Name: file}}, content{blob: blob})
		return
	}
	objects, err := krm.Read(file, blob.Data(), krm.Limits{})
	if err != nil {
		c.put(key{counted, cluster, krm.ID{Name: file}}, content{blob: blob})
		return
	}
	for _, o := range objects {
		c.addObject(cluster, o)
	}
}

// addObject adds an object, which it changes.
func (c contents) addObject(cluster string, o *krm.Object) {
	o.RemoveAnnotations(krm.BelongsToPackage)
	k := key{counted, cluster, o.ID()}
	switch {
	case o.APIVersion() == "" || o.Kind() == "" || o.Is("kpt.dev", kptfile.Kind) || o.IsLocalConfig():
		k.class = beside
	case o.Is("work.open-cluster-management.io", "ManifestWork"):
		k.class = frame
		if o.Namespace() != "" {
			k.cluster = o.Namespace()
		}
		c.addManifests(k.cluster, o)
	}
	c.put(k, content{node: o.Node()})
}

// addManifests adds the manifests of a work by themselves and removes them from it: to a cluster it does not
// matter which work brings them.
func (c contents) addManifests(cluster string, work *krm.Object) {
	manifests := work.Lookup("spec", "workload", "manifests")
	if manifests == nil || manifests.Kind != yaml.SequenceNode {
		return
	}
	for _, m := range manifests.Content {
		if m = krm.Deref(m); m.Kind == yaml.MappingNode {
			c.put(key{counted, cluster, krm.FromNode(m).ID()}, content{node: m})
		}
	}
	krm.RemoveField(work.Lookup("spec", "workload"), "manifests")
}

func (c contents) put(k key, some ...content) { c[k] = append(c[k], some...) }

// clusterOf is the <c> of clusters/<c>/..., else "".
func clusterOf(file string) string {
	if parts := strings.SplitN(file, "/", 3); len(parts) == 3 && parts[0] == "clusters" {
		return parts[1]
	}
	return ""
}
