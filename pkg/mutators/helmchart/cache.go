package helmchart

import (
	"sync"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
)

// maxCached bounds the files of the charts that a process remembers parsed. Parsed, a chart takes a few times as much.
const maxCached = 64 << 20

// cache are the charts that this process has parsed, by digest: a fleet renders one chart again and again. Which charts it holds
// changes no result.
type cache struct {
	mutex  sync.Mutex
	charts map[string]*cached
	order  []string // digests, the one used last at the end
	size   int
}

type cached struct {
	load  sync.Once
	chart *chart.Chart
	size  int
	err   error
}

var charts = &cache{charts: map[string]*cached{}}

// get returns a chart, parsed. Several callers that want the same one parse it once.
func (c *cache) get(f *found, files fn.Files) (*chart.Chart, error) {
	kind := "archive "
	if f.archive == nil {
		kind = "folder "
	}
	entry := c.entry(kind + f.digest)
	entry.load.Do(func() {
		entry.chart, entry.size, entry.err = f.load(files)
		c.account(entry)
	})
	return entry.chart, entry.err
}

// entry is the entry of a digest, marked as used last.
func (c *cache) entry(digest string) *cached {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	entry := c.charts[digest]
	if entry == nil {
		entry = &cached{}
		c.charts[digest] = entry
	}
	for i, d := range c.order {
		if d == digest {
			c.order = append(c.order[:i], c.order[i+1:]...)
			break
		}
	}
	c.order = append(c.order, digest)
	return entry
}

// account adds the size of a chart that was loaded, and forgets those used least recently beyond the bound.
func (c *cache) account(loaded *cached) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.size += loaded.size
	for c.size > maxCached && len(c.order) > 0 {
		oldest := c.charts[c.order[0]]
		delete(c.charts, c.order[0])
		c.order, c.size = c.order[1:], c.size-oldest.size
	}
}
