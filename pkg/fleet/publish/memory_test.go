package publish

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// memory is a registry that calls before with the number of each request, and fails it if that returns an error.
type memory struct {
	mu      sync.Mutex
	tags    map[string]string // repository:tag → digest
	content map[string]pkgtree.Tree
	asked   int
	before  func(n int, what string) error
}

func newMemory() *memory {
	return &memory{tags: map[string]string{}, content: map[string]pkgtree.Tree{}}
}

func (m *memory) request(what string) error {
	m.mu.Lock()
	m.asked++
	n, before := m.asked, m.before
	m.mu.Unlock()
	if before != nil {
		return before(n, what)
	}
	return nil
}

func (m *memory) Digest(_ context.Context, repository, tag string) (string, error) {
	if err := m.request("get " + repository + ":" + tag); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tags[repository+":"+tag], nil
}

func (m *memory) Files(ctx context.Context, repository, tag string) (string, pkgtree.Tree, error) {
	digest, err := m.Digest(ctx, repository, tag)
	m.mu.Lock()
	defer m.mu.Unlock()
	return digest, m.content[repository+"@"+digest], err
}

func (m *memory) Push(_ context.Context, repository, tag string, files pkgtree.Tree, _ map[string]string) (string, error) {
	if err := m.request("push " + repository + ":" + tag); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	digest := "sha256:" + sum(files)
	m.content[repository+"@"+digest], m.tags[repository+":"+tag] = files, digest
	return digest, nil
}

func (m *memory) Tag(_ context.Context, repository, digest, tag string) error {
	if err := m.request("tag " + repository + ":" + tag); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, there := m.content[repository+"@"+digest]; !there {
		return fmt.Errorf("%s has no %s", repository, digest)
	}
	m.tags[repository+":"+tag] = digest
	return nil
}

var errKilled = errors.New("killed")
