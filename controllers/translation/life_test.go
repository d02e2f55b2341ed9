package translation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/api/midonet"
)

func TestCreateUpdateDelete(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, nodes: [4]int{1, 1}, services: [6]int{1, 1, 1}}
	w.become(now.translations(w.namespace))
	w.start()
	w.settled("what was there before the controller", now.translations(w.namespace))
	if got := w.awaitEvent("node.4.0", "TranslationUpdatePushed"); !strings.HasPrefix(got, "Normal ") {
		t.Errorf("the event: %s", got)
	}
	now.nodes, now.services = [4]int{2, 1, 1}, [6]int{1, 2, 1, 1}
	w.become(now.translations(w.namespace))
	w.settled("replaced, recreated, and added", now.translations(w.namespace))
	now.nodes[0], now.services[1] = 0, 0
	w.become(now.translations(w.namespace))
	w.settled("deleted, and let go", now.translations(w.namespace))
	w.awaitEvent("node.4.0", "TranslationDeletionPushed")
	if strings.Contains(w.log.String(), "not everything") {
		t.Errorf("nothing went wrong, but the log has:\n%s", w.log)
	}
}

func TestOfflineDeletion(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, nodes: [4]int{1, 1}, services: [6]int{1, 1, 1, 1}}
	w.become(now.translations(w.namespace))
	stop := w.start()
	w.settled("at first", now.translations(w.namespace))
	stop()
	now.services[0], now.services[1], now.services[2] = 0, 0, 2
	for _, tr := range w.all() {
		if tr.Name == "service.4.1" {
			w.strip(&tr) // it simply vanishes
		}
	}
	w.become(now.translations(w.namespace))
	w.start()
	w.settled("what was deleted while no controller ran", now.translations(w.namespace))
}

func TestVersionBump(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, nodes: [4]int{1, 1}, services: [6]int{1, 1, 1}}
	w.become(now.translations(w.namespace))
	w.start()
	w.settled("at first", now.translations(w.namespace))
	now.version = 5
	w.become(now.translations(w.namespace))
	w.settled("new names, new ids, and nothing of the old ones", now.translations(w.namespace))
}

func TestOrphanWithoutFinalizer(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, services: [6]int{1, 1}}
	all := now.translations(w.namespace)
	for i := range all {
		all[i].Finalizers = nil
	}
	w.become(all)
	w.start()
	w.settled("without finalizers", all)
	w.become(all[:2])
	w.settled("one is gone", all[:2])
}

func TestManyOrphans(t *testing.T) {
	w := newTestCluster(t)
	var all []midonet.Translation
	for i := range 40 {
		all = append(all, named(w.namespace, fmt.Sprint("t", i), resource("Chain", "", "id", fmt.Sprint(i))))
		all[i].Finalizers = nil
	}
	w.become(all)
	stop := w.start()
	w.settled("pushed", all)
	stop()
	w.become(all[:5])
	w.start()
	w.settled("those that are there stay", all[:5])
}

func TestForeignFinalizersStay(t *testing.T) {
	w := newTestCluster(t)
	now := fixture{version: 4, services: [6]int{1}}
	all := now.translations(w.namespace)
	all[1].Finalizers = []string{"example.com/first", midonet.Finalizer, "example.com/last"}
	w.become(all)
	w.start()
	w.settled("pushed", all)
	w.become(all[:1])
	w.eventually("ours goes, the others stay", func() string {
		for _, tr := range w.all() {
			if tr.Name == all[1].Name {
				if got := strings.Join(tr.Finalizers, " "); got != "example.com/first example.com/last" {
					return got
				}
				return ""
			}
		}
		return "the Translation is gone"
	})
	if things, _ := w.backend.State(); len(things) != 3 {
		t.Errorf("the backend has %d things, want the 3 of the other Translation", len(things))
	}
}

func TestEmptyClusterDeletesNothing(t *testing.T) {
	w := newTestCluster(t)
	all := fixture{version: 4, services: [6]int{1}}.translations(w.namespace)
	for i := range all {
		all[i].Finalizers = nil
	}
	w.become(all)
	stop := w.start()
	w.settled("pushed", all)
	stop()
	w.become(nil)
	stop = w.start()
	w.eventually("it is reported", func() string {
		if !strings.Contains(w.log.String(), "there is no Translation") {
			return "nothing in the log"
		}
		return ""
	})
	if things, _ := w.backend.State(); len(things) != 6 {
		t.Errorf("the backend has %d things, want 6", len(things))
	}
	stop()
	w.start(func(o *translation.Options) { o.AllowEmpty = true })
	w.settled("unless that is allowed", nil)
}
