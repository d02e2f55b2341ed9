package adopt

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Work is one work that is taken over.
type Work struct {
	Cluster, Name, Policy string
	// File is its file in the package.
	File string
	// Objects is how many objects it holds.
	Objects int

	object *krm.Object
}

// longestName is the longest name of a work that agents accept.
const longestName = 188

// newWork is a work of a hub as bundle-manifestwork would have written it: without what only the hub knows.
func newWork(o *krm.Object) (*Work, error) {
	data, err := krm.Value(o.Node())
	if err != nil {
		return nil, err
	}
	from, _ := data.(map[string]any)
	labels := o.Labels()
	w := &Work{Cluster: o.Namespace(), Name: o.Name(), Policy: labels[control.OriginBindingLabel]}
	if err := w.check(o, labels[naming.WDSLabel]); err != nil {
		return nil, err
	}
	spec, _ := from["spec"].(map[string]any)
	withoutSecrets(spec)
	n, err := krm.NodeOf(map[string]any{
		"apiVersion": o.APIVersion(), "kind": o.Kind(), "spec": spec,
		"metadata": map[string]any{
			"namespace": w.Cluster, "name": w.Name,
			"labels": map[string]any{control.OriginBindingLabel: w.Policy, naming.WDSLabel: labels[naming.WDSLabel]},
			"annotations": map[string]any{
				naming.GenerationAnnotation: o.Annotation(naming.GenerationAnnotation),
				fn.Origin:                   krm.ID{Group: control.Group, Kind: control.KindBinding, Name: w.Policy}.String(),
				fn.GeneratedBy:              naming.Function,
			},
		},
	})
	if err != nil {
		return nil, err
	}
	w.object = krm.FromNode(n)
	held, whole := previous.Objects(w.object)
	if w.Objects = len(held); !whole {
		return nil, errors.New("spec.workload.manifests: it is empty, or an object in it has no kind or name")
	}
	return w, nil
}

// check reports why a work cannot be taken over.
func (w *Work) check(o *krm.Object, space string) error {
	of := naming.Origin{Binding: w.Policy, WDS: space}
	switch {
	case len(validation.IsDNS1123Label(w.Cluster)) > 0:
		return fmt.Errorf("metadata.namespace: %q is no name of a cluster", w.Cluster)
	case len(validation.IsDNS1123Subdomain(w.Name)) > 0 || len(w.Name) > longestName:
		return fmt.Errorf("metadata.name: want a name of at most %d characters that agents accept", longestName)
	case o.Lookup("metadata", "deletionTimestamp") != nil:
		return errors.New("it is being deleted, and so are its objects: wait until it is gone, or find out who deletes it")
	case o.Lookup("spec", "deleteOption") != nil:
		return errors.New("spec.deleteOption: KubeStellar sets none, and a hand-over needs it; remove it first")
	case !of.HasName(w.Name):
		return fmt.Errorf("metadata.name: want the name that KubeStellar gives: %s or <UID>-%s-<UID>", of.ShardName("<number>"), space)
	}
	return nil
}

// withoutSecrets removes the data of Secrets from the manifests of a work.
func withoutSecrets(spec map[string]any) {
	workload, _ := spec["workload"].(map[string]any)
	manifests, _ := workload["manifests"].([]any)
	for _, m := range manifests {
		manifest, _ := m.(map[string]any)
		if apiVersion, _ := manifest["apiVersion"].(string); manifest["kind"] == "Secret" && strings.TrimSpace(apiVersion) == "v1" {
			delete(manifest, "data")
			delete(manifest, "stringData")
			delete(manifest, "immutable") // a cluster that does not have it yet gets it from two works
			withoutLastApplied(manifest)
		}
	}
}

// withoutLastApplied removes the copy of an object that kubectl leaves in an annotation.
func withoutLastApplied(manifest map[string]any) {
	metadata, _ := manifest["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
}
