package gitrepo_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// bodyLimit answers requests with larger bodies as nginx does.
func bodyLimit(most int64) gittest.Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > most || r.ContentLength < 0 {
				w.WriteHeader(http.StatusRequestEntityTooLarge)
				fmt.Fprint(w, "<html><head><title>413 Request Entity Too Large</title></head></html>")
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// TestPushTooLarge pushes more than a proxy, and than Git on the server, accept. Each error says how large the push is and which
// limit to raise; it is a rejection, after which the caller may push less, and nothing was pushed.
func TestPushTooLarge(t *testing.T) {
	for name, tc := range map[string]struct {
		config string
		proxy  []gittest.Option
		says   string
	}{
		"proxy": {proxy: []gittest.Option{bodyLimit(20_000)}, says: "requests as large as this push, which has 1"},
		"git":   {config: "receive.maxInputSize=20000", says: "receive.maxInputSize"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.NewBare(t)
			if tc.config != "" {
				gittest.Config(t, dir, tc.config)
			}
			r := open(t, gittest.NewHTTP(t, dir, tc.proxy...))
			push := func(clusters int) error {
				stage := r.Stage()
				root, err := stage.ReplaceDir(gitrepo.Hash{}, "shop", fleet(t, clusters, fmt.Sprint(clusters)))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("refs/heads/drafts/%d", clusters)
				return stage.Push(t.Context(), []gitrepo.RefUpdate{{Name: name, New: commit(t, stage, root)}})
			}
			err := push(600)
			var rejected *gitrepo.RejectedError
			if !errors.As(err, &rejected) || rejected.Transient() || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, want a rejection that says %q", err, tc.says)
			}
			if got := gittest.Refs(t, dir); got != "" {
				t.Errorf("the rejected push left %s", got)
			}
			if err := push(10); err != nil {
				t.Errorf("a smaller push: %v", err)
			}
		})
	}
}
