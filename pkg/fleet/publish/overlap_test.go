package publish

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// slow is a memory as one run sees it: each request waits for a while, as the seed says, and all requests from a moment on fail.
type slow struct {
	*memory
	name   string
	killed time.Duration // after the start; 0 is never
	start  time.Time
}

func (s *slow) wait(what string) error {
	h := fnv.New64a()
	fmt.Fprint(h, s.name, what, time.Since(s.start))
	n := h.Sum64() >> 8
	pause := time.Duration(n % 997)
	if n%10 == 0 {
		pause *= 20
	}
	time.Sleep(pause * time.Millisecond)
	if s.killed > 0 && time.Since(s.start) > s.killed {
		return errKilled
	}
	return nil
}

func (s *slow) Digest(ctx context.Context, repository, tag string) (string, error) {
	if err := s.wait("get" + repository + tag); err != nil {
		return "", err
	}
	return s.memory.Digest(ctx, repository, tag)
}

func (s *slow) Files(ctx context.Context, repository, tag string) (string, pkgtree.Tree, error) {
	if err := s.wait("files" + repository + tag); err != nil {
		return "", pkgtree.Tree{}, err
	}
	return s.memory.Files(ctx, repository, tag)
}

func (s *slow) Push(ctx context.Context, repository, tag string, files pkgtree.Tree, annotations map[string]string) (string, error) {
	if err := s.wait("push" + repository + tag); err != nil {
		return "", err
	}
	return s.memory.Push(ctx, repository, tag, files, annotations)
}

func (s *slow) Tag(ctx context.Context, repository, digest, tag string) error {
	if err := s.wait("tag" + repository + tag); err != nil {
		return err
	}
	return s.memory.Tag(ctx, repository, digest, tag)
}

// overlap runs revisions 2 and 3 at the same time, after revision 1. It returns the registry and the errors by revision.
func overlap(t *testing.T, seed int, contents map[int][]Content, kill time.Duration) (m *memory, errs map[int]error) {
	m, errs = newMemory(), map[int]error{}
	run(t, m, 1, fleetOf(t, 1, 1, 1, 1))
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var both sync.WaitGroup
		for n, c := range contents {
			s := &slow{memory: m, name: fmt.Sprint(seed, " ", n), start: time.Now()}
			if n == 2 {
				s.killed = kill
			}
			both.Go(func() {
				steps, err := publisher(s, n).Run(t.Context(), c)
				var overtaken *OvertakenError
				if errors.As(err, &overtaken) && slices.ContainsFunc(steps, func(s Step) bool { return s.State == Pushed }) {
					t.Errorf("seed %d: what another run replaced counts as pushed", seed)
				}
				mu.Lock()
				defer mu.Unlock()
				errs[n] = err
			})
		}
		both.Wait()
	})
	return m, errs
}

// TestOverlap lets two runs take turns as seeds say. The newer revision is in force at the end.
func TestOverlap(t *testing.T) {
	kinds := map[string]int{}
	contents := map[int][]Content{2: fleetOf(t, 2, 2, 1, 1), 3: fleetOf(t, 1, 3, 3, 1)}
	for seed := range 1000 {
		m, errs := overlap(t, seed, contents, 0)
		var older *OlderError
		var overtaken *OvertakenError
		switch {
		case errs[3] != nil:
			t.Errorf("seed %d: the newer run fails: %v", seed, errs[3])
		case errs[2] == nil:
			kinds["done"]++
		case errors.As(errs[2], &older):
			kinds["older"]++
		case errors.As(errs[2], &overtaken):
			kinds["overtaken"]++
		default:
			t.Errorf("seed %d: the older run fails: %v", seed, errs[2])
		}
		if inForce(t, m, 3, contents[3]); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Log(kinds)
	if kinds["older"] < 10 || kinds["overtaken"] < 10 || kinds["done"] < 10 {
		t.Errorf("too few ways to overlap were tried: %v", kinds)
	}
}

// TestOverlapKilled kills the older run while the newer one goes on. The next run, with CheckTags, puts everything right.
func TestOverlapKilled(t *testing.T) {
	contents := map[int][]Content{2: fleetOf(t, 2, 2, 1, 1), 3: fleetOf(t, 1, 3, 3, 1)}
	kills := 0
	for seed := range 300 {
		m, errs := overlap(t, seed, contents, time.Duration(1+seed%40)*250*time.Millisecond)
		if errs[3] != nil {
			t.Errorf("seed %d: the newer run fails: %v", seed, errs[3])
		}
		if errors.Is(errs[2], errKilled) {
			kills++
		}
		p := publisher(m, 3)
		p.CheckTags = true
		if _, err := p.Run(t.Context(), contents[3]); err != nil {
			t.Error(err)
		}
		if inForce(t, m, 3, contents[3]); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if kills < 50 {
		t.Errorf("only %d runs were killed", kills)
	}
}
