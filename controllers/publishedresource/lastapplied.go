package publishedresource

import (
	"bytes"
	"context"
	"crypto/sha1" // #nosec G505 -- names that others look for, and nothing secret
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Names on the Secrets that tell what was last applied.
const (
	stateLabel         = fn.ReservedPrefix + "object-state"
	clusterLabel       = fn.ReservedPrefix + "remote-object-cluster"
	namespaceHashLabel = fn.ReservedPrefix + "remote-object-namespace-hash"
	nameHashLabel      = fn.ReservedPrefix + "remote-object-name-hash"
	agentLabel         = fn.ReservedPrefix + "agent-name"
	// These Secrets are no copies, and do not have the tags of one.
	ownerAnnotation      = fn.ReservedPrefix + "state-of"
	controllerAnnotation = fn.ReservedPrefix + "state-by"
)

// maxState is how many bytes of states one Secret holds: the API server takes a mebibyte, metadata included.
const maxState = 1<<20 - 1<<15

var secretResource = corev1.SchemeGroupVersion.WithResource("secrets")

// lastApplied is what was last applied for one primary, stored in a Secret. One that does not exist, or an entry that
// cannot be read, is no error: what was last applied is unknown then.
type lastApplied struct {
	name    string
	secret  *corev1.Secret // as it is; nil where there is none
	entries map[string][]byte
	changed bool
}

func hashOf(text string) string {
	sum := sha1.Sum([]byte(text)) // #nosec G401 -- likewise
	return hex.EncodeToString(sum[:])
}

// secretName is the name of the Secret of a primary. It has no version: another one is the same object.
func secretName(controller, cluster string, id krm.ID) string {
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(struct { // texts always have a form
		Controller string `json:"controller"`
		Group      string `json:"group"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		Namespace  string `json:"namespace"`
	}{controller, id.Group, id.Kind, id.Name, id.Namespace})
	return "obj-state-" + cluster + "-" + hashOf(b.String())[:20]
}

// entryOf is the entry of a copy. It says by which edge, and on which side.
func entryOf(edge string, output applyset.Ref) string {
	side := "destination"
	if output.Place != "" {
		side = "source"
	}
	return edge + "." + side + "." + hashOf(output.String())
}

// secrets is the client for Secrets that hold what was last applied.
func (w *worker) secrets() dynamic.ResourceInterface {
	return w.controller.home.Objects.Resource(secretResource).Namespace(w.controller.options.StateNamespace)
}

// readLastApplied reads what was last applied for a primary.
func (p *pass) readLastApplied(ctx context.Context, key string) (*lastApplied, error) {
	cluster, id, err := applyset.ParseKey(key)
	if err != nil {
		return nil, err
	}
	l := &lastApplied{name: secretName(p.prepared.rule.Controller(), cluster, id), entries: map[string][]byte{}}
	u, err := p.worker.secrets().Get(ctx, l.name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
	case err != nil:
		return nil, fmt.Errorf("read what was last applied: %w", err)
	default:
		if l.secret, err = secretOf(u); err != nil {
			return nil, fmt.Errorf("read what was last applied: Secret %s cannot be read", l.name)
		}
		maps.Copy(l.entries, l.secret.Data)
	}
	p.memory.mu.Lock()
	maps.Copy(l.entries, p.memory.states[l.name])
	p.memory.mu.Unlock()
	return l, nil
}

func secretOf(u *unstructured.Unstructured) (*corev1.Secret, error) {
	s := &corev1.Secret{}
	return s, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, s)
}

// lastKnown is what was last applied to a copy.
func (l *lastApplied) lastKnown(_, _, edge string, output applyset.Ref) []byte {
	return l.entries[entryOf(edge, output)]
}

// note records an operation that succeeded.
func (l *lastApplied) note(op applyset.Operation) {
	entry := entryOf(op.Edge, op.Ref)
	switch op.Action {
	case applyset.ActionDelete, applyset.ActionOrphan:
		_, had := l.entries[entry]
		delete(l.entries, entry)
		l.changed = l.changed || had
	default:
		if op.State != nil && !bytes.Equal(l.entries[entry], op.State) {
			l.entries[entry] = op.State
			l.changed = true
		}
	}
}

// outputs are the copies that something was applied to.
func (l *lastApplied) outputs() (all []stateOutput) {
	for _, entry := range slices.Sorted(maps.Keys(l.entries)) {
		if out, is := outputOf(l.entries[entry]); is {
			out.source = strings.Contains(entry, ".source.")
			all = append(all, out)
		}
	}
	return all
}

// stored are the entries that fit into a Secret. Of those that are too large together, the largest are stored by name
// alone, and the rest of them is kept in memory.
func (l *lastApplied) stored() (stored, remembered map[string][]byte) {
	stored, remembered = maps.Clone(l.entries), map[string][]byte{}
	total := 0
	for _, text := range stored {
		total += len(text)
	}
	order := slices.SortedFunc(maps.Keys(stored), func(a, b string) int { return len(stored[b]) - len(stored[a]) })
	for _, entry := range order {
		if total <= maxState {
			break
		}
		remembered[entry] = stored[entry]
		total -= len(stored[entry])
		stored[entry] = nameAlone(stored[entry])
		total += len(stored[entry])
	}
	return stored, remembered
}

// nameAlone is a state without content.
func nameAlone(state []byte) []byte {
	out, is := outputOf(state)
	if !is {
		return nil
	}
	version, kind := out.gvk.ToAPIVersionAndKind()
	meta := map[string]string{"name": out.key.Name}
	if out.key.Namespace != "" {
		meta["namespace"] = out.key.Namespace
	}
	data, err := json.Marshal(map[string]any{"apiVersion": version, "kind": kind, "metadata": meta})
	if err != nil { // texts always have a form
		return nil
	}
	return data
}
