package manager

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// answers is a manager, and its mapper, whose answers about all kinds are these, one after the other; the last one stays.
type answers struct {
	manager.Manager
	meta.RESTMapper
	errs []error
	next atomic.Int64
}

func (a *answers) GetRESTMapper() meta.RESTMapper { return a }

func (a *answers) RESTMapping(schema.GroupKind, ...string) (*meta.RESTMapping, error) {
	n := a.next.Add(1) - 1
	return &meta.RESTMapping{}, a.errs[min(int(n), len(a.errs)-1)]
}

// TestSilenceIsNoKnowledge begins only when the API server has said that it knows all kinds: an API server that does not answer
// has not said so.
func TestSilenceIsNoKnowledge(t *testing.T) {
	missing, silent := &meta.NoKindMatchError{}, errors.New("connection refused")
	a := &answers{errs: slices.Concat(slices.Repeat([]error{missing}, len(required)), []error{silent, silent, nil, silent, missing, nil, nil, nil, nil})}
	var asked int64
	w := &waitingPackages{manager: a, options: Options{LastRetry: time.Millisecond}, add: func() error { asked = a.next.Load(); return nil }}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := w.Start(ctx); err != nil {
		t.Fatal(err)
	}
	// All four are missing, no answer twice, one and then no answer, one missing of four, all four.
	if want := int64(4 + 1 + 1 + 2 + 4 + 4); asked != want {
		t.Errorf("the controllers were added after %d answers, want %d", asked, want)
	}
}
