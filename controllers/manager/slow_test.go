package manager_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/manager"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// dripper is a Git server that sends a byte now and then. It tells of each client that comes.
func dripper(t *testing.T, came chan<- struct{}) (url string) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		fmt.Fprint(w, "001e# service=git-upload-pack\n0000")
		came <- struct{}{}
		for tick := time.NewTicker(50 * time.Millisecond); ; {
			fmt.Fprint(w, "1")
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
			}
		}
	}))
	t.Cleanup(srv.CloseClientConnections)
	t.Cleanup(srv.Close)
	return srv.URL + "/slow.git"
}

// TestSlowServers has as many servers as there are workers, and none gets to an end. A repository that comes then is
// looked at, and variants that need none of the slow ones are worked; those that do say why they wait.
func TestSlowServers(t *testing.T) {
	w := newEnv(t)
	came := make(chan struct{}, 1000)
	const workers = 4
	for i := range workers {
		w.apply(strings.NewReplacer("blueprints", fmt.Sprint("slow", i), w.url("blueprints"), dripper(t, came)).Replace(w.objects["blueprints.yaml"]))
	}
	w.apply(strings.NewReplacer("name: eu", "name: waits", "repo: blueprints", "repo: slow0", "eu/shop", "waits/shop").Replace(w.objects["eu.yaml"]))
	w.start(func(o *manager.Options) { o.SlowAfter, o.Workers = 300*time.Millisecond, workers })
	for range workers {
		<-came
	}
	w.apply(strings.ReplaceAll(w.objects["blueprints.yaml"], "blueprints", "late"))
	w.eventually("a repository with a fast server", "True Ready: the repository can be read", func() string { return w.ready("repository/late") })
	w.apply(w.objects["eu.yaml"])
	w.eventually("a variant of fast repositories", "True", func() string { ready, _, _ := strings.Cut(w.ready("packagevariant/eu"), " "); return ready })
	w.eventually("the status of a waiting variant says why", "takes long to answer", func() string {
		said := w.ready("packagevariant/waits")
		if strings.Contains(said, "takes long to answer") {
			return "takes long to answer"
		}
		return said
	})
}

// TestSlowStart starts a controller anew whose Git server takes longer to send the repository than a pass waits: a variant that is ready
// stays so, and nothing is written.
func TestSlowStart(t *testing.T) {
	var slow atomic.Bool
	w := newEnv(t, gittest.BeforeUpload(func() {
		if slow.Swap(false) { // once: what was opened is not fetched again in this test
			time.Sleep(3 * time.Second)
		}
	}))
	w.apply(w.objects["eu.yaml"])
	stop := w.start()
	w.eventually("it is drafted", good, func() string { return w.ready("packagevariant/eu") })
	stop()
	version := func() string { return w.get("packagevariant/eu", "{.metadata.resourceVersion}") }
	before := version()
	slow.Store(true)
	passes := strings.Count(w.log.String(), "unchanged=1")
	w.start(func(o *manager.Options) { o.SlowAfter, o.PollInterval, o.Fresh = time.Second, time.Minute, time.Minute })
	w.eventually("a pass does not wait", "true", func() string { return fmt.Sprint(strings.Contains(w.log.String(), "failed=1")) })
	w.eventually("it is looked at in the end", "true", func() string { return fmt.Sprint(strings.Count(w.log.String(), "unchanged=1") > passes) })
	if now := version(); now != before {
		t.Errorf("the variant was written: version %s, and then %s: %s", before, now, w.ready("packagevariant/eu"))
	}
}

// url is the address of a repository of the environment.
func (w *env) url(name string) string {
	_, rest, _ := strings.Cut(w.objects[name+".yaml"], "repo: ")
	return strings.TrimSpace(rest)
}
