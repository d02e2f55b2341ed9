package revision_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestListTagsOfUsers lists the revisions of a server that serves parts of commits. What users tagged has to be read, with a few requests
// for all of it and none for a second list.
func TestListTagsOfUsers(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Config(t, dir, "uploadpack.allowFilter=true")
	gittest.Config(t, dir, "uploadpack.allowAnySHA1InWant=true")
	grow := func(from, to int) {
		for i := from; i < to; i++ {
			gittest.Commit(t, dir, gittest.Change{When: gittest.Epoch.Add(time.Duration(i) * time.Hour), Tag: fmt.Sprintf("shop/v%d", i+1),
				Files: gittest.Files(map[string]string{"shop/Kptfile": "k", "shop/data": fmt.Sprint(i)})})
		}
	}
	grow(0, 50)
	gittest.Git(t, dir, "tag", "nothing/v1", "shop/v3")
	var requests atomic.Int64
	url := gittest.NewHTTP(t, dir, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			next.ServeHTTP(w, r)
		})
	})
	s := openStore(t, url, revision.Config{})
	for _, most := range []int64{8, 0} {
		got := list(t, s)
		gone := requests.Swap(0)
		if diff := cmp.Diff(list(t, openStore(t, "file://"+dir, revision.Config{})), got); diff != "" {
			t.Errorf("(-by path +by HTTP):\n%s", diff)
		}
		if len(got) != 51 || gone > most {
			t.Errorf("%d revisions with %d requests, want 51 with at most %d", len(got), gone, most)
		}
	}
}
