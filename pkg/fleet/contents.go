package fleet

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// contents holds each text of a manifest once, however many works have it. It is safe for concurrent use.
type contents struct {
	seed   maphash.Seed
	shards [64]contentShard

	mu    sync.Mutex
	rests map[string]*manifestwork.Settings
	ids   knownIDs
}

type contentShard struct {
	mu sync.Mutex
	by map[uint64]*Content
}

func newContents() *contents {
	c := &contents{seed: maphash.MakeSeed(), rests: map[string]*manifestwork.Settings{}}
	for i := range c.shards {
		c.shards[i].by = map[uint64]*Content{}
	}
	return c
}

// of returns the content with this text. It copies a text that is new, so that it does not keep the file in memory.
func (c *contents) of(text []byte, indent int) *Content {
	sum := maphash.Bytes(c.seed, text)
	s := &c.shards[sum%uint64(len(c.shards))]
	s.mu.Lock()
	defer s.mu.Unlock()
	for known := s.by[sum]; known != nil; known = known.next {
		if known.indent == indent && bytes.Equal(known.text, text) {
			return known
		}
	}
	fresh := newContent(bytes.Clone(text), indent)
	fresh.ids, fresh.list, fresh.next = &c.ids, indent > 0 && manifestwork.MayList(text), s.by[sum]
	s.by[sum] = fresh
	return fresh
}

// knownIDs are the identities of objects by the text of their identifying fields, which a template leaves the same on many clusters. A
// nil *knownIDs keeps nothing. It is safe for concurrent use.
type knownIDs struct{ by sync.Map }

func (k *knownIDs) of(fields []byte) (krm.ID, bool) {
	if k == nil {
		return krm.ID{}, false
	}
	id, known := k.by.Load(string(fields))
	if !known {
		return krm.ID{}, false
	}
	return id.(krm.ID), true
}

func (k *knownIDs) add(fields []byte, id krm.ID) {
	if k != nil {
		k.by.Store(string(fields), id)
	}
}

// settings returns the settings in what follows the manifests of a work, the same for the same text.
func (c *contents) settings(rest []byte) *manifestwork.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.rests[string(rest)]
	if known == nil {
		known = manifestwork.SettingsIn(bytes.Clone(rest))
		c.rests[string(rest)] = known
	}
	return known
}

// scanned is a work that its lines take apart. It keeps nothing of the bytes of the file.
type scanned struct {
	work, binding string
	cluster       string
	handOver      int // how many items, the last ones, are hand-over entries
	items         []*Content
	itself        *Content
	settings      *manifestwork.Settings
}

// scan takes a file apart; it returns nil if only a parser can do that. like is a work of c that is likely to have the same items; it may
// be nil.
func (c *contents) scan(data []byte, like *scanned) *scanned {
	var same []*Content
	w, ok := manifestwork.ScanItems(data, func(text []byte) int {
		item := like.itemIn(text, len(same))
		same = append(same, item)
		return item.length()
	})
	if !ok {
		return nil
	}
	out := &scanned{work: w.Name, binding: w.Binding, cluster: w.Cluster, handOver: w.HandOver,
		items: make([]*Content, len(w.Items)), itself: c.of(w.Itself(), 0), settings: c.settings(w.Rest)}
	for i, text := range w.Items {
		if same[i].length() == len(text) {
			out.items[i] = same[i]
		} else if out.items[i] = c.of(text, manifestwork.ItemIndent); out.items[i].list {
			return nil
		}
	}
	return out
}

// itemIn is item i, if a text begins with it; else nil.
func (s *scanned) itemIn(text []byte, i int) *Content {
	if s == nil || i >= len(s.items) || !bytes.HasPrefix(text, s.items[i].text) {
		return nil
	}
	return s.items[i]
}

// sameAs reports whether both works deliver the same to the same cluster. They may come from different contents.
func (s *scanned) sameAs(other *scanned) bool {
	return s.cluster == other.cluster && s.itself.sameAs(other.itself) && slices.EqualFunc(s.items, other.items, (*Content).sameAs)
}

// deliveries are what the work delivers, in order.
func (s *scanned) deliveries(file string) []Delivery {
	in := s.holder(file)
	out := in.deliveries(s.items)
	markEntries(out, s.handOver)
	return append(out, Delivery{Holder: in, Itself: true, Content: s.itself})
}

func (s *scanned) holder(file string) *Holder {
	return &Holder{Cluster: s.cluster, Work: s.work, Binding: s.binding, File: file, settings: s.settings}
}

// deliveries are those of some items, of which none is a hand-over entry.
func (h *Holder) deliveries(items []*Content) []Delivery {
	out := make([]Delivery, 0, len(items)+1)
	for _, item := range items {
		out = append(out, Delivery{Holder: h, Content: item})
	}
	return out
}
