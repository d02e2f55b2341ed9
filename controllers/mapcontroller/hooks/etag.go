package hooks

import (
	"container/list"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// How long answers are kept where a MapController does not say, and the most that they take of memory for
// one webhook.
const (
	defaultKept    = 20 * time.Minute
	defaultCleanup = 10 * time.Minute
	maxKept        = 64 << 20
)

// answerKey tells what one webhook is asked about: many inputs share a parent.
type answerKey struct{ parent, mapKey string }

// answer is one that is kept.
type answer struct {
	key    answerKey
	etag   string
	body   []byte
	stored time.Time
}

func (a *answer) size() int { return len(a.body) + len(a.etag) + len(a.key.parent) + len(a.key.mapKey) }

// answers are those of one webhook. nil keeps none.
type answers struct {
	lifetime, cleanup time.Duration
	most              int

	lock    sync.Mutex
	byKey   map[answerKey]*list.Element
	byAge   *list.List // of *answer, the oldest first
	bytes   int
	cleaned time.Time
}

func newAnswers(lifetime, cleanup time.Duration) *answers {
	return &answers{lifetime: lifetime, cleanup: cleanup, most: maxKept, byKey: map[answerKey]*list.Element{}, byAge: list.New()}
}

// find is the answer that is kept, nil when there is none that counts. It must not be changed.
func (a *answers) find(key answerKey, now time.Time) *answer {
	if a == nil {
		return nil
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	if e := a.byKey[key]; e != nil && !a.over(e, now) {
		return e.Value.(*answer)
	}
	return nil
}

// keep keeps a new answer in place of an old one. One without an ETag that can be sent back is not kept, nor
// is one that nobody can read.
func (a *answers) keep(key answerKey, got reply, now time.Time) {
	if a == nil {
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	a.drop(a.byKey[key])
	fresh := &answer{key, got.etag, got.body, now}
	if sendable(got.etag) && fresh.size() <= a.most && json.Valid(got.body) {
		a.byKey[key] = a.byAge.PushBack(fresh)
		a.bytes += fresh.size()
	}
	if now.Sub(a.cleaned) >= a.cleanup {
		a.cleaned = now
		for a.over(a.byAge.Front(), now) {
			a.drop(a.byAge.Front())
		}
	}
	for a.bytes > a.most {
		a.drop(a.byAge.Front())
	}
}

// over reports whether an answer is too old.
func (a *answers) over(e *list.Element, now time.Time) bool {
	return e != nil && now.Sub(e.Value.(*answer).stored) >= a.lifetime
}

func (a *answers) drop(e *list.Element) {
	if e == nil {
		return
	}
	old := a.byAge.Remove(e).(*answer)
	delete(a.byKey, old.key)
	a.bytes -= old.size()
}

// sendable reports whether an ETag can stand in a header of a request.
func sendable(etag string) bool {
	return etag != "" && !strings.ContainsFunc(etag, func(r rune) bool { return r < ' ' || r == 0x7f })
}
