package memo

import "sync"

// maxMisses bounds the keys that are known to be missing.
const maxMisses = 100_000

// flight asks the shared cache once for each key: who asks at the same time waits for the answer, and a miss is remembered. A hit is
// not: the folder has it.
type flight struct {
	mu    sync.Mutex
	calls map[key]*call
}

type call struct {
	done   chan struct{}
	answer *answer
}

func (f *flight) do(k key, ask func() *answer) *answer {
	f.mu.Lock()
	if known := f.calls[k]; known != nil {
		f.mu.Unlock()
		<-known.done
		return known.answer
	}
	if f.calls == nil || len(f.calls) > maxMisses {
		f.calls = map[key]*call{}
	}
	c := &call{done: make(chan struct{})}
	f.calls[k] = c
	f.mu.Unlock()
	defer f.finish(k, c)
	c.answer = ask()
	return c.answer
}

func (f *flight) finish(k key, c *call) {
	close(c.done)
	if c.answer != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.calls, k)
	}
}
