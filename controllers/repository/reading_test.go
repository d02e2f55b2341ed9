package repository

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestReadingEnds has the manager end while the files of an old commit are read from a server that does not answer any more. The context
// that the repository was opened with has ended long before, and does not matter.
func TestReadingEnds(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Config(t, dir, "uploadpack.allowFilter=true")
	gittest.Config(t, dir, "uploadpack.allowAnySHA1InWant=true")
	var hangs atomic.Bool
	arrived := make(chan struct{}, 1)
	url := gittest.NewHTTP(t, dir, gittest.Hang(&hangs, arrived))
	var commits []gitrepo.Hash
	for _, text := range []string{"1", "2", "3"} {
		gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"shop/Kptfile": text})})
		id, err := gitrepo.ParseHash(strings.TrimSpace(gittest.Git(t, dir, "rev-parse", "HEAD")))
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, id)
	}
	c, err := NewCache(nil, &vault{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	obj := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: "deployments"},
		Spec: porchconfig.RepositorySpec{Type: "git", Git: &porchconfig.GitRepository{Repo: url}}}
	opening, opened := context.WithCancel(t.Context())
	e := c.entry(key{Namespace: "fleet", Name: "deployments"})
	if _, err := c.openOrFetch(opening, e, obj); err != nil {
		t.Fatal(err)
	}
	opened()
	if _, err := e.git.Package(commits[1], "shop"); err != nil {
		t.Errorf("a read after the opening: %v", err)
	}
	hangs.Store(true)
	leading, lost := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- c.Start(leading) }()
	go func() {
		_, err := e.git.Package(commits[0], "shop")
		ended <- err
	}()
	<-arrived
	lost()
	if err := errors.Join(<-ended, <-ended); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}
