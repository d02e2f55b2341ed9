package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// followings are ways to follow an upstream: with one controller, with two that divide the variants, and with a controller that is killed
// twice meanwhile: when it begins to push, and when it has pushed.
var followings = []struct {
	name   string
	shards [][]string // their flags
	kills  int
}{
	{"one", [][]string{nil}, 0},
	{"restarts", [][]string{nil}, 2},
	{"shards", [][]string{{"--shard", "1/2"}, {"--shard", "2/2"}}, 0},
	{"shardrestarts", [][]string{{"--shard", "1/2"}, {"--shard", "2/2"}}, 2},
}

// BenchmarkClusterFleet has controllers follow an upstream in a cluster: from the tag of its fifth revision to the drafts of
// WAYBILL_VARIANTS variants (1,000), each of which has four published revisions. MiB are the resident memory of the largest
// controller, s-cpu the processor time of the one that used most.
func BenchmarkClusterFleet(b *testing.B) {
	f := newClusterFleet(b, variantsOf(b))
	f.publishRevisions(4)
	for _, how := range followings {
		b.Run(how.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				f.TB = b
				m := f.follow(how.shards, how.kills)
				for _, unit := range slices.Sorted(maps.Keys(m)) {
					b.ReportMetric(m[unit], unit)
				}
				b.StartTimer()
			}
		})
	}
}

// BenchmarkClusterNamespaces is the same with two controllers that have a namespace, a repository and half of the variants each.
func BenchmarkClusterNamespaces(b *testing.B) {
	fleets := []*clusterFleet{newClusterFleet(b, variantsOf(b)/2), newClusterFleet(b, variantsOf(b)/2)}
	together(fleets, func(_ int, f *clusterFleet) { f.publishRevisions(4) })
	for b.Loop() {
		b.StopTimer()
		all := make([]map[string]float64, len(fleets))
		together(fleets, func(i int, f *clusterFleet) { all[i] = f.follow([][]string{nil}, 0) })
		for unit := range all[0] {
			if unit == "requests/draft" { // the API server counts those of both
				continue
			}
			b.ReportMetric(max(all[0][unit], all[1][unit]), unit)
		}
		b.StartTimer()
	}
}

func together(fleets []*clusterFleet, do func(i int, f *clusterFleet)) {
	var running sync.WaitGroup
	for i, f := range fleets {
		running.Go(func() { do(i, f) })
	}
	running.Wait()
}

// BenchmarkClusterIdle counts the requests of a controller in a minute without a change.
func BenchmarkClusterIdle(b *testing.B) {
	f := newClusterFleet(b, variantsOf(b))
	p := f.runController()
	f.await(len(f.sites))
	f.settle(p)
	for b.Loop() {
		before, used := f.requests(), f.processorTime(p)
		time.Sleep(time.Minute)
		detail, sum := since(before, f.requests())
		b.Logf("requests: %v", detail)
		b.ReportMetric(float64(sum), "requests/min")
		b.ReportMetric((f.processorTime(p) - used).Seconds(), "s-cpu/min")
	}
}

// variantsOf is how many variants a benchmark has.
func variantsOf(b *testing.B) int {
	b.Helper()
	text := cmp.Or(os.Getenv("WAYBILL_VARIANTS"), "1000")
	n, err := strconv.Atoi(text)
	if err != nil || n < 2 {
		b.Fatalf("WAYBILL_VARIANTS=%s: want a number", text)
	}
	return n
}

// TestClusterFleet follows an upstream in all these ways with few variants.
func TestClusterFleet(t *testing.T) {
	f := newClusterFleet(t, 20)
	f.publishRevisions(1)
	for _, how := range followings {
		t.Run(how.name, func(t *testing.T) {
			f.TB = t
			f.follow(how.shards, how.kills)
		})
	}
}

// follow publishes a revision, and checks that controllers make one draft of each variant and change nothing else.
func (f *clusterFleet) follow(shards [][]string, kills int) map[string]float64 {
	f.Helper()
	f.restore()
	all := make([]*process, len(shards))
	for i, flags := range shards {
		all[i] = f.runController(flags...)
	}
	f.settle(all...)
	m := map[string]float64{}
	time.Sleep(5 * time.Second) // until they have released memory
	for _, p := range all {
		now, _ := f.memory(p)
		m["MiB-rest"] = max(m["MiB-rest"], now)
		f.forgetPeak(p)
	}
	refs, requests, used, began := f.refs(), f.requests(), f.used(all), time.Now()
	pushing := f.nextPush()
	f.release()
	f.pollNow("blueprints")
	for kill := range kills {
		if kill == 0 {
			<-pushing
		} else {
			f.await(1)
		}
		i := kill % len(all)
		all[i].kill()
		f.Logf("killed with %d drafts", f.openDrafts())
		all[i] = f.runController(shards[i]...)
	}
	between := f.refs()
	f.await(len(f.sites))
	m["s-drafts"] = time.Since(began).Seconds()
	f.awaitReady()
	m["s-ready"] = time.Since(began).Seconds()
	for i, p := range all {
		_, peak := f.memory(p)
		m["MiB-peak"] = max(m["MiB-peak"], peak)
		if kills == 0 {
			m["s-cpu"] = max(m["s-cpu"], (f.processorTime(p) - used[i]).Seconds())
		}
	}
	detail, sum := since(requests, f.requests())
	m["requests/draft"] = float64(sum) / float64(len(f.sites))
	f.Logf("requests: %v", detail)
	f.settle(all...)
	f.checkFollowed(refs, between)
	for _, p := range all {
		p.end()
	}
	return m
}

// nextPush is closed when the next push begins.
func (f *clusterFleet) nextPush() chan struct{} {
	begun := make(chan struct{})
	f.onPush.Store(new(func() { close(begun) }))
	return begun
}

func (f *clusterFleet) used(all []*process) (used []time.Duration) {
	for _, p := range all {
		used = append(used, f.processorTime(p))
	}
	return used
}

// checkFollowed wants one draft of each variant, all that was there before, and what was there between as it was.
func (f *clusterFleet) checkFollowed(before, between map[string]string) {
	f.Helper()
	want, now := maps.Clone(before), f.refs()
	for _, site := range f.sites {
		name := fmt.Sprintf("refs/heads/drafts/%s/shop/packagevariant-%d", site, f.version)
		want[name] = now[name]
	}
	maps.Copy(want, between)
	if diff := gocmp.Diff(want, now); diff != "" {
		f.Errorf("branches and tags (-want +got):\n%s", diff)
	}
	for name, commit := range now {
		if commit == "" {
			f.Errorf("there is no %s", strings.TrimPrefix(name, "refs/heads/"))
		}
	}
}
