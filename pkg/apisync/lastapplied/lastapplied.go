// Package lastapplied keeps what was last applied to the copies of one primary, in a Secret.
//
// Shape: New reads a State from the Secret of a primary. Its entries are read by package applyset and changed by Note after
// each operation that succeeded; Secret returns the Secret to store. An entry that cannot be read, or a Secret that does
// not exist, is no error: what was last applied is unknown then.
// Cost: the entries, in memory. Errors: none.
// Source: the object states of kcp's API syncer.
package lastapplied

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Label is "true" on the Secrets.
const Label = fn.ReservedPrefix + "object-state"

// Annotations of the Secrets. They are no copies, and do not have the tags of one.
const (
	ownerAnnotation      = fn.ReservedPrefix + "state-of"
	controllerAnnotation = fn.ReservedPrefix + "state-by"
)

// maxSize is how many bytes of entries one Secret holds: the API server takes a mebibyte, metadata included.
const maxSize = 1<<20 - 1<<15

// Owner is the primary that a State belongs to.
type Owner struct {
	Controller, Agent string // of the PublishedResource
	Primary           applyset.Ref
}

// SecretName is the name of the Secret. It does not depend on the version: an object in another version is the same one.
func (o Owner) SecretName() string {
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(struct { // strings always have a JSON form
		Controller string `json:"controller"`
		Group      string `json:"group"`
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		Namespace  string `json:"namespace"`
	}{o.Controller, o.Primary.Group, o.Primary.Kind, o.Primary.Name, o.Primary.Namespace})
	return "obj-state-" + o.Primary.Place + "-" + apisync.Hash(b.String())[:20]
}

// OwnerOf returns the controller and the key of the primary that a Secret belongs to.
func OwnerOf(s *corev1.Secret) (controller, primary string) {
	return s.Annotations[controllerAnnotation], s.Annotations[ownerAnnotation]
}

// State is what was last applied for one primary.
type State struct {
	Owner
	// Stored is the Secret as it is; nil where there is none.
	Stored *corev1.Secret
	// Changed says that the State differs from Stored.
	Changed bool
	entries map[string][]byte
}

// New returns the State that is stored. overflow are entries that did not fit into the Secret.
func New(owner Owner, stored *corev1.Secret, overflow map[string][]byte) *State {
	s := &State{Owner: owner, Stored: stored, entries: map[string][]byte{}}
	if stored != nil {
		maps.Copy(s.entries, stored.Data)
	}
	maps.Copy(s.entries, overflow)
	return s
}

// entryOf is the entry of a copy. It says by which edge it was made, and on which side it is.
func entryOf(edge string, output applyset.Ref) string {
	side := "destination"
	if output.Place != "" {
		side = "source"
	}
	return edge + "." + side + "." + apisync.Hash(output.String())
}

// LastKnown is what was last applied to a copy: see applyset.View.
func (s *State) LastKnown(_, _, edge string, output applyset.Ref) []byte {
	return s.entries[entryOf(edge, output)]
}

// Note records an operation that succeeded.
func (s *State) Note(op applyset.Operation) {
	entry := entryOf(op.Edge, op.Ref)
	switch have, is := s.entries[entry]; {
	case op.Action == applyset.ActionDelete, op.Action == applyset.ActionOrphan:
		delete(s.entries, entry)
		s.Changed = s.Changed || is
	case op.State != nil && !bytes.Equal(have, op.State):
		s.entries[entry] = op.State
		s.Changed = true
	}
}

// Copy is a copy that something was applied to.
type Copy struct {
	AtSource bool
	Version  string
	krm.ID
}

// GroupKind is the type of the copy.
func (c Copy) GroupKind() schema.GroupKind { return schema.GroupKind{Group: c.Group, Kind: c.Kind} }

// Copies are the copies that something was applied to.
func (s *State) Copies() (all []Copy) {
	for _, entry := range slices.Sorted(maps.Keys(s.entries)) {
		if c, is := copyIn(s.entries[entry]); is {
			c.AtSource = strings.Contains(entry, ".source.")
			all = append(all, c)
		}
	}
	return all
}

// PrimaryCopies are the copies of a primary, by its key: see apisync.Snapshot.
func (s *State) PrimaryCopies(key string) (ids []krm.ID) {
	for _, c := range s.Copies() {
		if key == s.Primary.String() && !c.AtSource {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// copyIn is the copy that an entry is about; false when the entry cannot be read.
func copyIn(entry []byte) (c Copy, is bool) {
	var head metav1.PartialObjectMetadata
	if json.Unmarshal(entry, &head) != nil || head.Kind == "" || head.Name == "" {
		return c, false
	}
	gvk := head.GroupVersionKind()
	return Copy{Version: gvk.Version, ID: krm.ID{Group: gvk.Group, Kind: gvk.Kind, Namespace: head.Namespace, Name: head.Name}}, true
}

// Secret returns the Secret to store, and the entries that do not fit into it. Of these the Secret has only the names.
func (s *State) Secret(namespace string) (secret *corev1.Secret, overflow map[string][]byte) {
	secret = &corev1.Secret{}
	if s.Stored != nil {
		secret = s.Stored.DeepCopy()
	}
	secret.Name, secret.Namespace, secret.Type = s.SecretName(), namespace, corev1.SecretTypeOpaque
	metav1.SetMetaDataLabel(&secret.ObjectMeta, Label, "true")
	maps.Copy(secret.Labels, apisync.Labels(s.Agent, s.Primary))
	metav1.SetMetaDataAnnotation(&secret.ObjectMeta, ownerAnnotation, s.Primary.String())
	metav1.SetMetaDataAnnotation(&secret.ObjectMeta, controllerAnnotation, s.Controller)
	secret.Data, overflow = s.split()
	return secret, overflow
}

// split returns the entries that fit into a Secret, and the largest of those that do not fit together.
func (s *State) split() (stored, overflow map[string][]byte) {
	stored, overflow = maps.Clone(s.entries), map[string][]byte{}
	total := 0
	for _, text := range stored {
		total += len(text)
	}
	for _, entry := range slices.SortedFunc(maps.Keys(stored), func(a, b string) int { return len(stored[b]) - len(stored[a]) }) {
		if total <= maxSize {
			break
		}
		overflow[entry] = stored[entry]
		total -= len(stored[entry])
		stored[entry] = nameAlone(stored[entry])
		total += len(stored[entry])
	}
	return stored, overflow
}

// nameAlone is an entry without content.
func nameAlone(entry []byte) []byte {
	c, is := copyIn(entry)
	if !is {
		return nil
	}
	meta := map[string]string{"name": c.Name}
	if c.Namespace != "" {
		meta["namespace"] = c.Namespace
	}
	apiVersion := schema.GroupVersion{Group: c.Group, Version: c.Version}.String()
	data, err := json.Marshal(map[string]any{"apiVersion": apiVersion, "kind": c.Kind, "metadata": meta})
	if err != nil { // strings always have a JSON form
		return nil
	}
	return data
}
