package bundling

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOverEntry is an object that a work holds only until another work, or the cluster itself, has it.
type handOverEntry struct {
	id     krm.ID
	node   *yaml.Node
	text   string
	length int
	sent   int        // how much it adds to a work as it is sent
	rule   *yaml.Node // that orphans it; nil where the entry is a reference
	config *config
}

// entries are the hand-over entries of a work with that body. Those that a hub would not take beside the rest
// become references, which agents look at and do not touch, and so do those that agents only looked at before.
func (h *handOvers) entries(kept []heldObject, beside *body) (whole []handOverEntry) {
	var references []handOverEntry
	limits, sent, encoded := h.opts.limits(), beside.sent()+aroundWork, 0
	for _, s := range beside.batch {
		encoded += encodedSize(s.length)
	}
	rest := h.references(kept)
	for _, o := range kept {
		e := h.entry(o, true)
		rest.encoded, rest.sent = rest.encoded-encodedSize(e.length), rest.sent-e.sent
		if !o.isReference() && (o.handedOver || h.strategyIn(o.work, o.id) != readOnly) {
			full := h.entry(o, false)
			if encoded+encodedSize(full.length)+rest.encoded <= limits.encoded && sent+full.sent+rest.sent <= limits.sent {
				e = full
			}
		}
		if e.rule == nil && h.holderOf(o.work.Namespace(), o.id) != owner && h.mayOwn(o) {
			h.owned.add(o.work.Namespace(), o.id) // no other work protects it when this one goes
		}
		sent, encoded = sent+e.sent, encoded+encodedSize(e.length)
		if encoded > limits.encoded || sent > limits.sent {
			h.crowded.add(o.work.Namespace(), o.id)
		}
		if e.rule == nil {
			references = append(references, e)
		} else {
			whole = append(whole, e)
		}
	}
	return append(whole, references...)
}

// references is what the entries add to a work at least.
func (h *handOvers) references(kept []heldObject) (l load) {
	for _, o := range kept {
		e := h.entry(o, true)
		l.encoded, l.sent = l.encoded+encodedSize(e.length), l.sent+e.sent
	}
	return l
}

// referenceWeight is what the entry of an object adds to its work at least.
func (b *bundler) referenceWeight(s shipped) weight {
	id := s.named.ID()
	about := config{about: resource{id.Group, s.resource, id.Namespace, id.Name}, orders: orders{strategy: readOnly}}
	if err := about.write(); err != nil {
		return weight{}
	}
	length, err := jsonSize(referenceTo(id, s.named.Node()))
	if err != nil {
		return weight{}
	}
	return weight{object: length, config: about.length}
}

// entry is o as a hand-over entry.
func (h *handOvers) entry(o heldObject, reference bool) (e handOverEntry) {
	e.id = o.id
	about := resource{o.id.Group, h.pluralOfKind(o.id.Group, o.id.Kind), o.id.Namespace, o.id.Name}
	e.node, e.config = normal(o.manifest()), &config{about: about, orders: orders{strategy: createOnly}}
	quoteHead(e.node)
	if reference {
		e.node, e.config.strategy = referenceTo(o.id, e.node), readOnly
	} else {
		e.rule = about.identifier()
		if size, err := jsonSize(e.rule); err == nil {
			e.sent = size + 1
		}
	}
	err := e.config.write()
	if err == nil {
		e.text, err = manifestText(e.node)
	}
	if err == nil {
		e.length, err = jsonSize(e.node)
	}
	if err != nil {
		h.report(sdk.Error, nil, nil, "%s, which an earlier work holds, cannot be handed over: %v", o.id, err)
	}
	e.sent += weight{object: e.length, config: e.config.length}.sent()
	return e
}

// referenceTo is what identifies an object, and nothing else of it.
func referenceTo(id krm.ID, n *yaml.Node) *yaml.Node {
	metadata := fields("name", id.Name)
	if id.Namespace != "" {
		metadata = fields("namespace", id.Namespace, "name", id.Name)
	}
	return fields("apiVersion", krm.FromNode(n).APIVersion(), "kind", id.Kind, "metadata", metadata)
}

// pluralOfKind is what Bindings call a kind, else what is known of it.
func (h *handOvers) pluralOfKind(group, kind string) string {
	for _, s := range h.shipments {
		for _, p := range s.parcels {
			if p.source.Is(group, kind) {
				return p.resource
			}
		}
	}
	return h.kinds.Lookup(group, kind).Plural
}

const deleteOptionField = "deleteOption"

// deleteOption tells agents to leave the entries on the cluster when the work lets go of them; nil for nothing.
func (b *body) deleteOption() *yaml.Node {
	rules := listNode()
	for _, e := range b.entries {
		if e.rule != nil {
			rules.Content = append(rules.Content, e.rule)
		}
	}
	if len(rules.Content) == 0 {
		return nil
	}
	return fields("propagationPolicy", "SelectivelyOrphan", "selectivelyOrphans", fields("orphaningRules", rules))
}

// deleteOptionText is a work's deleteOption as it is written.
func deleteOptionText(option *yaml.Node) (string, error) {
	return itemText(fields("spec", fields(deleteOptionField, option)), "spec:\n")
}
