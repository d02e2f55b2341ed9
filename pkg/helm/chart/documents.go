package chart

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// parsed are documents that were rendered more than once lately: variants of one chart have many in common.
var parsed krm.Parsed

// seen are the texts that were rendered lately, by digest. A text that comes once is not worth the copies of a cache.
var seen = &digests{all: map[[20]byte]bool{}}

// mostSeen bounds seen.
const mostSeen = 50_000

type digests struct {
	mutex sync.Mutex
	all   map[[20]byte]bool
}

// add reports whether a digest was there, and adds it.
func (d *digests) add(digest [20]byte) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	known := d.all[digest]
	if len(d.all) >= mostSeen {
		clear(d.all)
	}
	d.all[digest] = true
	return known
}

// parse makes a manifest of a text.
func parse(file, text string) (m Manifest, err error) {
	m = Manifest{File: file, Content: text}
	data := []byte(text)
	sum := sha256.Sum256(data)
	digest, read := [20]byte(sum[:20]), func() ([]*krm.Object, error) { return krm.Read(file, data, krm.Limits{}) }
	if seen.add(digest) {
		m.Objects, err = parsed.Read(file, digest, len(data), read)
	} else {
		m.Objects, err = read()
	}
	var bad *krm.ParseError
	if errors.As(err, &bad) {
		return m, fmt.Errorf("%s: what it renders cannot be read: line %d of the document: %s", file, bad.Line, bad.Reason)
	}
	return m, err
}
