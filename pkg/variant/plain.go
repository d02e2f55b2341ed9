package variant

import (
	"bytes"
	"sync"

	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Plain remembers the content of files that can be read and hold no injection point. Most files of a
// fleet's packages are alike, and there is no need to read them for each. It may be used by many
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

// isPlain reports whether a file need not be read, as there is no injection point in it. A point's
// annotation stands in the text as it is, but for a quoted key, which may spell any letter with a backslash.
func (in MutateInput) isPlain(b *pkgtree.Blob) bool {
	if in.Rendered && !bytes.Contains(b.Data(), []byte(injection.PointAnnotation)) && bytes.IndexByte(b.Data(), '\\') < 0 {
		return true
	}
	return in.Plain.has(b)
}

func isPoint(o *krm.Object) bool { return o.HasAnnotation(injection.PointAnnotation) }
