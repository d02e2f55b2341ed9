package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// key is the digest of a function's identity and its input.
type key = diskcache.Key

func keyOf(identity string, stdin []byte) (k key) {
	h := sha256.New()
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(identity))) // else another pair of identity and input could have the same bytes
	h.Write(length[:])
	h.Write([]byte(identity))
	h.Write(stdin)
	h.Sum(k[:0])
	return k
}

// answer is the output of a program that succeeded.
type answer struct{ stdout, stderr []byte }

// An entry is the magic, the digest of key and body, and the body: the length of stdout, stdout,
// stderr. The digest covers the key, so that an entry is valid only in its own place.
var magic = []byte("waybill function answer 1\n")

const lengthSize = 8

var headSize = len(magic) + sha256.Size + lengthSize

func (a *answer) size() int64 { return int64(headSize + len(a.stdout) + len(a.stderr)) }

// head is the part of the entry before stdout.
func (a *answer) head(k key) []byte {
	length := a.length()
	sum := digest(k, length, a.stdout, a.stderr)
	return append(append(bytes.Clone(magic), sum[:]...), length...)
}

func (a *answer) length() []byte { return binary.BigEndian.AppendUint64(nil, uint64(len(a.stdout))) }

func digest(k key, body ...[]byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(k[:])
	for _, b := range body {
		h.Write(b)
	}
	h.Sum(sum[:0])
	return sum
}

// readEntry returns the answer in an entry; nil when it is not a complete and unchanged entry of k.
func readEntry(k key, data []byte) *answer {
	if len(data) < headSize || !bytes.HasPrefix(data, magic) {
		return nil
	}
	sum, body := data[len(magic):len(magic)+sha256.Size], data[len(magic)+sha256.Size:]
	if want := digest(k, body); !bytes.Equal(sum, want[:]) {
		return nil
	}
	return readBody(body)
}

// body is what readBody reads.
func (a *answer) body() []byte { return bytes.Join([][]byte{a.length(), a.stdout, a.stderr}, nil) }

// readBody returns the answer in a body; nil when it is too short.
func readBody(body []byte) *answer {
	if len(body) < lengthSize {
		return nil
	}
	length := binary.BigEndian.Uint64(body)
	body = body[lengthSize:]
	if length > uint64(len(body)) {
		return nil
	}
	return &answer{stdout: body[:length:length], stderr: body[length:]}
}
