package bundling

import (
	"errors"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOverEntry is an object that a work holds until another work has it, or until the cluster keeps it without a work.
type handOverEntry struct {
	id     krm.ID
	node   *yaml.Node
	text   string
	length int
	sent   int                  // the bytes that it adds to a work
	rule   *manifestconfig.Rule // that orphans it; nil if the entry is a reference
	config *manifestconfig.Config
}

// entries are the hand-over entries of a work with that body. An entry becomes a reference, which agents read and do not
// touch, if the hub has no room for the object, or if agents only read the object before.
func (h *handOvers) entries(kept []previous.Object, beside *body) (whole []handOverEntry) {
	var references []handOverEntry
	limits, sent, encoded := h.opts.limits(), beside.sent()+packing.AroundWork, 0
	for s := range beside.objects() {
		encoded += manifest.EncodedSize(s.length())
	}
	names, rest := h.references(kept)
	for i, o := range kept {
		e := names[i]
		rest.Encoded, rest.Sent = rest.Encoded-manifest.EncodedSize(e.length), rest.Sent-e.sent
		if !h.isReference(o) && (o.HandedOver || h.strategyIn(o.Work, o.ID) != manifestconfig.ReadOnly) {
			full := h.wholeEntry(o)
			if encoded+manifest.EncodedSize(full.length)+rest.Encoded <= limits.Encoded && sent+full.sent+rest.Sent <= limits.Sent {
				e = full
			}
		}
		if e.rule == nil && h.ownershipOf(o.Work.Namespace(), o.ID) != owned && h.mayOwn(o) {
			h.counts.unprotected.add(o.Work.Namespace(), o.ID) // no other work protects it when this work is deleted
		}
		sent, encoded = sent+e.sent, encoded+manifest.EncodedSize(e.length)
		if encoded > limits.Encoded || sent > limits.Sent {
			h.counts.noRoom.add(o.Work.Namespace(), o.ID)
		}
		if e.rule == nil {
			references = append(references, e)
		} else {
			whole = append(whole, e)
		}
	}
	return append(whole, references...)
}

// references are the entries that only name the objects, and what they add to a work in all.
func (h *handOvers) references(kept []previous.Object) (names []handOverEntry, all packing.Load) {
	for _, o := range kept {
		e, err := newReference(h.resourceOf(o.ID), o.ID, krm.FromNode(o.Manifest()).APIVersion())
		h.reportEntry(o, err)
		names = append(names, e)
		all.Encoded, all.Sent = all.Encoded+manifest.EncodedSize(e.length), all.Sent+e.sent
	}
	return names, all
}

// wholeEntry is the hand-over entry that holds all of o.
func (h *handOvers) wholeEntry(o previous.Object) handOverEntry {
	about := h.resourceOf(o.ID)
	e := handOverEntry{id: o.ID, node: manifest.Normalize(o.Manifest()),
		config: &manifestconfig.Config{Resource: about, Settings: manifestconfig.Settings{Strategy: manifestconfig.CreateOnly}}}
	manifest.QuoteHead(e.node)
	rule, err := manifestconfig.NewRule(about)
	e.rule = rule
	h.reportEntry(o, errors.Join(err, e.write()))
	return e
}

// reportEntry reports an object that cannot be written as an entry.
func (h *handOvers) reportEntry(o previous.Object, err error) {
	if err != nil {
		h.report(sdk.Error, nil, nil, "%s, which an earlier work holds, cannot be handed over: %v", o.ID, err)
	}
}

// resourceOf identifies an object of an earlier work.
func (h *handOvers) resourceOf(id krm.ID) manifestconfig.Resource {
	return manifestconfig.ResourceOf(id, h.pluralOfKind(id.Group, id.Kind))
}

// newReference is the entry that only names an object.
func newReference(about manifestconfig.Resource, id krm.ID, apiVersion string) (handOverEntry, error) {
	e := handOverEntry{id: id, node: referenceTo(id, apiVersion),
		config: &manifestconfig.Config{Resource: about, Settings: manifestconfig.Settings{Strategy: manifestconfig.ReadOnly}}}
	return e, e.write()
}

// write makes the texts of an entry and measures them.
func (e *handOverEntry) write() (err error) {
	if err = e.config.Write(); err != nil {
		return err
	}
	if e.text, err = manifest.ItemText(e.node); err != nil {
		return err
	}
	if e.length, err = manifest.JSONSize(e.node); err != nil {
		return err
	}
	e.sent = packing.Weight{Object: e.length, Config: e.config.Length}.Sent()
	if e.rule != nil {
		e.sent += e.rule.Length + 1
	}
	return nil
}

// referenceTo has the type and the name of an object, and nothing else.
func referenceTo(id krm.ID, apiVersion string) *yaml.Node {
	metadata := manifest.Map("name", id.Name)
	if id.Namespace != "" {
		metadata = manifest.Map("namespace", id.Namespace, "name", id.Name)
	}
	return manifest.Map("apiVersion", apiVersion, "kind", id.Kind, "metadata", metadata)
}

// pluralOfKind is the plural of a kind in the Bindings, else the known one.
func (h *handOvers) pluralOfKind(group, kind string) string {
	for _, s := range h.shipments {
		for _, p := range s.payloads {
			if p.source.Is(group, kind) {
				return p.Resource
			}
		}
	}
	return h.kinds.Lookup(group, kind).Plural
}
