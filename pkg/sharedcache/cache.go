package sharedcache

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// Options say how a Cache is used.
type Options struct {
	Write   bool                // store entries, too
	KeyFile string              // Ed25519 key in PEM form: a private one signs entries, and both demand the signature; "" for none
	Report  func(error)         // gets the first error of each sort; nil for nobody
	Getenv  func(string) string // of credentials; nil: os.Getenv
}

// store holds entries by name. It is safe for concurrent use.
type store interface {
	// get returns an entry of at most maxEntry bytes; errAbsent if there is none.
	get(ctx context.Context, name string) ([]byte, error)
	put(ctx context.Context, name string, entry []byte) error
}

var errAbsent = errors.New("there is no such entry")

// Cache is a cache that machines share. It is safe for concurrent use.
type Cache struct {
	signing
	name   string
	store  store
	report func(error)
	ctx    context.Context // of the command
	reads  *meter
	writer *writer // nil: entries are only read

	reported [3]sync.Once
}

// Sorts of errors, each of which is reported once.
const (
	ofReading = iota
	ofWriting
	ofEntries
)

// Open makes a Cache of the store at url: oci://HOST/REPOSITORY, s3://BUCKET/PREFIX?endpoint=URL&region=REGION, or
// http(s)://HOST/PATH. It asks the store nothing. After ctx the Cache asks and stores nothing.
func Open(ctx context.Context, url string, o Options) (*Cache, error) {
	c := &Cache{report: o.Report, ctx: ctx, reads: newMeter()}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	var err error
	if c.store, c.name, err = openStore(url, o.Getenv); err != nil {
		return nil, err
	}
	if o.KeyFile != "" {
		if c.signing, err = readSigning(o.KeyFile); err != nil {
			return nil, fmt.Errorf("key of the cache %q: %w", o.KeyFile, err)
		}
	}
	if o.Write {
		if c.public != nil && c.private == nil {
			return nil, fmt.Errorf("key of the cache %q: it is public, and to write entries takes the private key", o.KeyFile)
		}
		c.writer = newWriter(ctx, c.store.put, func(err error) { c.fault(ofWriting, err) })
	}
	return c, nil
}

// getTimeout is the longest time of one request for an entry.
const getTimeout = 10 * time.Second

// Get returns the data under k; nil when the store has none, or none that is proved to be of k, or cannot be asked.
func (c *Cache) Get(k Key) []byte {
	if c.ctx.Err() != nil || !c.reads.begin() {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, getTimeout)
	defer cancel()
	name := hex.EncodeToString(k[:])
	entry, err := c.store.get(ctx, name)
	var data []byte
	if err == nil {
		if data, err = c.open(k, entry); err != nil {
			c.fault(ofEntries, fmt.Errorf("entry %s %w; it is not used", name, err))
			err = errAbsent
		}
	}
	earned := patiencePerMiss
	if data != nil {
		earned = patiencePerHit + time.Duration(float64(patiencePerMiB)*float64(len(data))/(1<<20))
	}
	slow := c.reads.end(earned)
	switch {
	case c.ctx.Err() != nil || errors.Is(err, errAbsent): // an interrupted command needs no warning
	case err != nil:
		c.reads.pause()
		if c.writer != nil && isTimeout(err) { // who waited for an answer does not wait again, to store
			c.writer.meter.pause()
		}
		c.fault(ofReading, fmt.Errorf("%w; it is not asked for more", err))
	case slow:
		c.fault(ofReading, errors.New("it is too slow, and not asked for more"))
	}
	return data
}

func isTimeout(err error) bool {
	var failed net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &failed) && failed.Timeout()
}

// Writes reports whether Put stores anything.
func (c *Cache) Writes() bool { return c.writer != nil }

// Put stores data under k later, unless the Cache only reads.
func (c *Cache) Put(k Key, data []byte) {
	if c.writer == nil || len(data) > maxData {
		return
	}
	c.writer.add(job{hex.EncodeToString(k[:]), len(data), func() []byte { return c.seal(k, data) }})
}

// Close waits until entries are stored, within bounds. The Cache must not be used afterwards.
func (c *Cache) Close() {
	if c.writer != nil {
		c.writer.close()
	}
}

// fault reports the first error of a sort.
func (c *Cache) fault(sort int, err error) {
	c.reported[sort].Do(func() {
		if c.report != nil {
			c.report(fmt.Errorf("shared cache %s: %w", c.name, err))
		}
	})
}
