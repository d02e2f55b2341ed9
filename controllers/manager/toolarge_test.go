package manager_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestTooLarge has a repository that holds more than is taken. That is said, and it is not fetched again, by another
// controller neither, until it has other refs.
func TestTooLarge(t *testing.T) {
	w := newEnv(t)
	var fetched atomic.Int32
	w.dirs["huge"] = gittest.NewBare(t)
	files := map[string]string{}
	for _, name := range []string{"a", "b"} {
		files[name] = strings.Repeat(name, 900_000)
	}
	gittest.Commit(t, w.dirs["huge"], gittest.Change{Files: gittest.Files(files)})
	w.apply(strings.NewReplacer("name: blueprints", "name: huge", w.url("blueprints"), gittest.NewHTTP(t, w.dirs["huge"], gittest.BeforeUpload(func() { fetched.Add(1) }))).Replace(w.objects["blueprints.yaml"]))
	tune := func(o *manager.Options) { o.Git = gitrepo.Bounds{Total: 100_000} }
	said := func() string {
		ready := w.ready("repository/huge")
		if strings.HasPrefix(ready, "False TooLarge: ") && strings.Contains(ready, "the controller fetches it again when its refs or these bounds change") {
			return "TooLarge"
		}
		return ready
	}
	looked := func() string { return w.get("repository/huge", "{.status.nextFullSyncTime}") }
	stop := w.start(tune)
	w.eventually("what is wrong is said", "TooLarge", said)
	for range 2 { // the second time in another process
		before := looked()
		w.eventually("it is looked at again", "true", func() string {
			if looked() != before {
				return "true"
			}
			return "false"
		})
		stop()
		stop = w.start(tune)
	}
	if n := fetched.Load(); n != 1 {
		t.Errorf("it was fetched %d times", n)
	}
	none := map[string]*string{"a": nil, "b": nil, "c": new("c")}
	gittest.Commit(t, w.dirs["huge"], gittest.Change{Files: none})
	w.eventually("it is fetched when its refs change", "true", func() string {
		if fetched.Load() > 1 {
			return "true"
		}
		return "false"
	})
}
