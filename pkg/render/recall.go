package render

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Memory remembers whole renders for Options.Memory: what it keeps under a key it gives back to the
// byte, or not at all. A key says all that a render depends on, but for the code that renders.
type Memory interface {
	Recall(key [sha256.Size]byte) []byte // nil when there is nothing
	Keep(key [sha256.Size]byte, data []byte)
	// Private reports whether a package that holds this text may not be remembered.
	Private(text []byte) bool
}

// mostRemembered is how large a render that is remembered may be, in bytes of changed files. To read
// more back takes no less time than to make it anew.
const mostRemembered = 16 << 20

// remembered is a render that may have been done before, or may be done again.
type remembered struct {
	memory Memory
	key    [sha256.Size]byte
	heard  []Event
}

// remember is nil when a render of tree depends on more than is known of it.
func (r *renderer) remember(ctx context.Context, tree pkgtree.Tree, root *pkg) *remembered {
	if r.opts.Memory == nil || r.opts.Trace {
		return nil
	}
	h := sha256.New()
	write(h, "render 1", r.opts.Name)
	if !r.identify(ctx, h, root) {
		return nil
	}
	for p, b := range tree.All() {
		if r.opts.Memory.Private(b.Data()) {
			return nil
		}
		write(h, p)
		writeBytes(h, b.Data())
	}
	m := &remembered{memory: r.opts.Memory}
	h.Sum(m.key[:0])
	return m
}

// identify writes what the functions of p and below are, and reports whether that is known of all.
func (r *renderer) identify(ctx context.Context, h hash.Hash, p *pkg) bool {
	for _, f := range p.functions() {
		if f.Exec != "" || f.Tag != "" {
			return false
		}
		run, err := r.opts.Functions.Prepare(ctx, &f)
		if err != nil { // which the render will say
			return false
		}
		known, ok := run.(runner.Identified)
		if !ok || known.Identity() == "" {
			return false
		}
		write(h, known.Identity())
	}
	return !slices.ContainsFunc(p.subs, func(s *pkg) bool { return !r.identify(ctx, h, s) })
}

// functions are those of p's pipeline.
func (p *pkg) functions() []kptfilev1.Function {
	if p.kptfile == nil || p.kptfile.Spec.Pipeline == nil {
		return nil
	}
	return slices.Concat(p.kptfile.Spec.Pipeline.Mutators, p.kptfile.Spec.Pipeline.Validators)
}

// write writes texts so that none can take another's bytes.
func write(h io.Writer, texts ...string) {
	for _, t := range texts {
		writeBytes(h, []byte(t))
	}
}

func writeBytes(h io.Writer, data []byte) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(data)))
	_, _ = h.Write(length[:]) // no hash fails
	_, _ = h.Write(data)
}

// recall makes r's result what it was before, tells of it, and reports whether it was remembered.
func (m *remembered) recall(r *renderer, tree pkgtree.Tree) bool {
	if m == nil {
		return false
	}
	told, changes := decodeRecord(m.memory.Recall(m.key))
	if told == nil {
		return false
	}
	after, err := tree.Apply(changes)
	if err != nil {
		return false
	}
	r.result.Tree, r.result.Steps, r.result.Packages, r.result.Recalled = after, told.Steps, told.Packages, true
	for _, e := range told.events() {
		r.observe(e)
	}
	return true
}

// listen has m hear what r tells.
func (m *remembered) listen(r *renderer) {
	if m == nil {
		return
	}
	tell := r.opts.Observe
	r.opts.Observe = func(e Event) {
		if m.heard = append(m.heard, e); tell != nil {
			tell(e)
		}
	}
}

// keep remembers the result of r, which came out well.
func (m *remembered) keep(tree pkgtree.Tree, result *Result) {
	if m == nil {
		return
	}
	if slices.ContainsFunc(result.Steps, func(s Step) bool { return s.Outside }) {
		return
	}
	changes, size := map[string][]byte{}, 0
	for _, p := range tree.Diff(result.Tree) {
		changes[p], _ = result.Tree.Get(p)
		size += len(changes[p])
	}
	if size > mostRemembered {
		return
	}
	if data := encodeRecord(recordOf(m.heard, result), changes); data != nil && !m.memory.Private(data) {
		m.memory.Keep(m.key, data)
	}
}
