package sharedcache

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Bounds of an entry: compressed, and the data in it.
const (
	maxEntry = 8 << 20
	maxData  = 64 << 20
)

// An entry is the magic, one byte that says whether it is signed, the digest of key and body, the signature of magic and digest if
// it is signed, and the body: the data, compressed.
var entryMagic = []byte("waybill shared entry 1\n")

const (
	unsigned = 'd'
	signed   = 's'
)

// Key is the digest of all that the data of an entry was computed from.
type Key = [sha256.Size]byte

var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(1<<20)) // fails only for bad options
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxData))
		return d
	})
)

// seal makes the entry of k.
func (c signing) seal(k Key, data []byte) []byte {
	body := encoder().EncodeAll(data, nil)
	digest := digestOf(k, body)
	kind, signature := []byte{unsigned}, []byte(nil)
	if c.private != nil {
		kind[0], signature = signed, ed25519.Sign(c.private, statement(digest))
	}
	return bytes.Join([][]byte{entryMagic, kind, digest, signature, body}, nil)
}

// Reasons to refuse an entry.
var (
	errFormat   = errors.New("is no entry of this cache")
	errDigest   = errors.New("is damaged, or belongs to another key")
	errUnsigned = errors.New("is not signed, and --cache-key asks for a signature")
	errSigner   = errors.New("is signed by another key than that of --cache-key")
	errTooLarge = fmt.Errorf("has more than %d MiB", maxData>>20)
)

// open returns the data in the entry of k. It decompresses only what was proved to be written for k.
func (c signing) open(k Key, entry []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(entry, entryMagic)
	if !ok || len(rest) < 1+sha256.Size {
		return nil, errFormat
	}
	kind, digest, rest := rest[0], rest[1:1+sha256.Size], rest[1+sha256.Size:]
	body, signature := rest, []byte(nil)
	switch {
	case kind == signed && len(rest) >= ed25519.SignatureSize:
		signature, body = rest[:ed25519.SignatureSize], rest[ed25519.SignatureSize:]
	case kind != unsigned:
		return nil, errFormat
	}
	if !bytes.Equal(digest, digestOf(k, body)) {
		return nil, errDigest
	}
	if err := c.verify(digest, signature); err != nil {
		return nil, err
	}
	data, err := decoder().DecodeAll(body, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) || len(data) > maxData:
		return nil, errTooLarge
	case err != nil:
		return nil, errFormat
	}
	return data, nil
}

func (c signing) verify(digest, signature []byte) error {
	switch {
	case c.public == nil:
		return nil
	case signature == nil:
		return errUnsigned
	case !ed25519.Verify(c.public, statement(digest), signature):
		return errSigner
	}
	return nil
}

func digestOf(k Key, body []byte) []byte {
	h := sha256.New()
	h.Write(k[:])
	h.Write(body)
	return h.Sum(nil)
}

// statement is what a signature signs: this digest is of an entry of ours.
func statement(digest []byte) []byte { return append(bytes.Clone(entryMagic), digest...) }
