package memo

import (
	"bytes"
	"crypto/sha256"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Shared is a cache that machines share. Get returns data only if it has verified that the data was put under that key; nil
// otherwise. Neither fails, and Put may store later. Both are safe for concurrent use. Writes reports whether Put stores anything.
type Shared interface {
	Get(key [sha256.Size]byte) []byte
	Put(key [sha256.Size]byte, data []byte)
	Writes() bool
}

// Share makes c use s for what its folder lacks. valid decides whether data for Get, which another machine stored, is used. Share must
// be called before c is used.
func (c *Cache) Share(s Shared, valid func(data []byte) bool) {
	c.shared, c.valid = s, valid
	if !c.inFolder(keyOf("digest of "+build(), nil)) {
		go hashProgram() // while the caller reads the package
	}
}

// anyAnswer is for what programs print: it is checked like the output of a program that runs.
func anyAnswer([]byte) bool { return true }

// keys are where an answer is: in the folder, and in the cache that machines share. A shared key that is zero stands for no
// place.
type keys struct{ local, shared key }

func sameKey(k key) keys { return keys{k, k} }

// readShared asks the shared cache, and keeps its answer in the folder.
func (c *Cache) readShared(k keys, valid func([]byte) bool) *answer {
	if c.shared == nil || k.shared == (key{}) {
		return nil
	}
	return c.asked.do(k.shared, func() *answer {
		if a := c.read(k.local); a != nil { // who asked before has put it there
			return a
		}
		a := readBody(c.shared.Get(k.shared))
		if a == nil || !c.isUsable(a, valid) {
			return nil
		}
		c.write(k.local, a)
		return a
	})
}

func (c *Cache) writeShared(k key, a *answer) {
	if c.shared != nil && k != (key{}) && !mayShowSecret(a.stdout) && !mayShowSecret(a.stderr) {
		c.shared.Put(k, a.body())
	}
}

// programKey is the key of what this program computes, on any machine; zero when the program is not known.
func (c *Cache) programKey(of [sha256.Size]byte) key {
	program := c.program()
	if program == "" {
		return key{}
	}
	return keyOf("computed by program "+program, of[:])
}

// readProgram returns the digest of this program's file. The folder keeps it, because hashing takes longer than a small render.
func (c *Cache) readProgram() string {
	place := keyOf("digest of "+build(), nil)
	if known := c.read(place); known != nil {
		return string(known.stdout)
	}
	sum := hashProgram()
	if sum != "" {
		c.write(place, &answer{stdout: []byte(sum)})
	}
	return sum
}

// hashProgram returns the digest of this program's file, "" when it cannot be read.
var hashProgram = sync.OnceValue(func() string {
	file, err := os.Open("/proc/self/exe")
	if err != nil {
		return ""
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return ""
	}
	return string(h.Sum(nil))
})

// mayShowSecret reports whether text that is to leave this machine may hold a Secret. It is stricter than mayHoldSecret: the
// word is enough, wherever it is and however YAML or JSON may escape it.
func mayShowSecret(text []byte) bool {
	if hasSecretWord(text, nil) || hasEncodedSecret(text) {
		return true
	}
	return bytes.IndexByte(text, '\\') >= 0 && hasSecretWord(escape.ReplaceAllFunc(text, unescape), nil)
}

var escape = lazyregexp.New(`\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*)`)

func unescape(sequence []byte) []byte {
	code, err := strconv.ParseUint(strings.TrimLeft(string(sequence[1:]), "xuU"), 16, 32)
	if err != nil || code > unicode.MaxRune { // the end of a line
		return nil
	}
	return []byte(string(rune(code)))
}
