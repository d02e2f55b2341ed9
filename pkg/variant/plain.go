package variant

import (
	"bytes"
	"sync"

	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Plain remembers the content of files that can be parsed and hold no injection point: most packages of a
// fleet have the same files, which are parsed once. It may be used by many
// goroutines at once. The zero Plain is ready to use; a nil one remembers nothing.
type Plain struct{ ids sync.Map }

func (p *Plain) has(b *pkgtree.Blob) bool {
	if p == nil {
		return false
	}
	_, known := p.ids.Load(b.GitID())
	return known
}

func (p *Plain) add(b *pkgtree.Blob) {
	if p != nil {
		p.ids.Store(b.GitID(), struct{}{})
	}
}

// isPlain reports whether a file need not be parsed, as there is no injection point in it. The text of a file with a point
// contains the annotation, except that a quoted key may have escapes, which begin with a backslash.
func (in MutateInput) isPlain(b *pkgtree.Blob) bool {
	if in.Rendered && !bytes.Contains(b.Data(), []byte(injection.PointAnnotation)) && bytes.IndexByte(b.Data(), '\\') < 0 {
		return true
	}
	return in.Plain.has(b)
}

func isPoint(o *krm.Object) bool { return o.HasAnnotation(injection.PointAnnotation) }
