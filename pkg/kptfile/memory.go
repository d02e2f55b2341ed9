package kptfile

import (
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The bounds of what is remembered, in bytes of text. What was parsed takes some ten times that.
const (
	largestKept = 64 << 10
	mostKept    = 1 << 20
)

// memory holds the Kptfiles that were parsed last: a package is rendered, merged and mutated in many
// steps, and each reads its Kptfile. Copying one costs a fraction of parsing it.
var memory remembered

type remembered struct {
	mu    sync.Mutex
	files map[string]*File // by text; never changed, only copied
	bytes int
}

// recall is what parsing data at path file would give, nil when that is not remembered.
func (m *remembered) recall(file string, data []byte) *File {
	m.mu.Lock()
	known := m.files[string(data)]
	m.mu.Unlock()
	if known == nil {
		return nil
	}
	f := known.copy(file)
	f.source = data
	return f
}

// keep remembers f as it is now. When there is too much it begins again: what is still in use comes back.
func (m *remembered) keep(f *File) {
	if len(f.source) > largestKept {
		return
	}
	kept, text := f.copy(f.Object.Source.File), string(f.source)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil || m.bytes+len(text) > mostKept {
		m.files, m.bytes = map[string]*File{}, 0
	}
	if m.files[text] == nil {
		m.files[text] = kept
		m.bytes += len(text)
	}
}

// copy is a File that shares nothing with f, read from file.
func (f *File) copy(file string) *File {
	return &File{Object: krm.Anew([]*krm.Object{f.Object}, file)[0], Spec: *f.Spec.DeepCopy()}
}
