package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// fleet stores entries of n renders and their packs, and returns what they are computed from.
func fleet(t *testing.T, shared *sharedMap, n int, text func(i int) string) (of [][sha256.Size]byte) {
	first := onMachine(t, shared)
	for i := range n {
		of = append(of, sha256.Sum256([]byte(text(i))))
		first.Put(of[i], []byte(text(i)))
	}
	first.Pack(slices.Values(of))
	return of
}

func numbered(i int) string { return fmt.Sprint("rendered ", i) }

// TestPack has a second machine fetch a fleet in packs: few requests, nothing is asked twice, and another process of that machine
// finds the packs in its folder.
func TestPack(t *testing.T) {
	shared := &sharedMap{}
	of := fleet(t, shared, 500, numbered)
	packs := len(shared.entries) - 500
	if packs < 4 || packs > 30 {
		t.Fatalf("there are %d packs", packs)
	}
	second := onMachine(t, shared)
	for range 2 {
		second.Prefetch(slices.Values(of))
	}
	for i, k := range of {
		if got := second.Get(k); string(got) != numbered(i) {
			t.Fatalf("entry %d is %q", i, got)
		}
	}
	if alone := 500 - packedIn(shared); shared.asked != packs+alone {
		t.Errorf("the shared cache was asked %d times for %d packs and %d entries", shared.asked, packs, alone)
	}
	asked, before := shared.asked, len(shared.entries)
	next := onMachine(t, shared)
	next.folder = second.folder
	next.Prefetch(slices.Values(of))
	next.Pack(slices.Values(of))
	if shared.asked != asked || len(shared.entries) != before || next.Get(of[0]) == nil {
		t.Errorf("another process asks %d times, and stores %d entries", shared.asked-asked, len(shared.entries)-before)
	}
	var reversed sharedMap // the same packs, whoever stores them
	fleet(t, &reversed, 500, numbered)
	for k, data := range shared.entries {
		if !bytes.Equal(reversed.entries[k], data) {
			t.Fatalf("entry %x differs", k[:4])
		}
	}
}

// packedIn counts the entries that are in packs.
func packedIn(shared *sharedMap) (n int) {
	for _, data := range shared.entries {
		if a := readBody(data); a != nil {
			n += len(readPack(a.stdout))
		}
	}
	return n
}

// TestPackOfChange changes one package of a fleet whose packs are known, as a preview does: the other side is fetched first, and then
// only what changed is asked for.
func TestPackOfChange(t *testing.T) {
	shared := &sharedMap{}
	of := fleet(t, shared, 500, numbered)
	second := onMachine(t, shared)
	second.Prefetch(slices.Values(of))
	asked := shared.asked
	of[250] = sha256.Sum256([]byte("changed"))
	second.Prefetch(slices.Values(of))
	if n := shared.asked - asked; n > 4 {
		t.Errorf("the shared cache was asked %d times for one change", n)
	}
}

// TestBadPack has packs that no writer of ours stores. An entry that is not usable affects no other: it is asked for by itself.
func TestBadPack(t *testing.T) {
	of := [][sha256.Size]byte{}
	for i := range 20 {
		of = append(of, sha256.Sum256(fmt.Append(nil, i)))
	}
	for name, c := range map[string]struct {
		change func(pack []byte) []byte
		texts  func(i int) string
		used   int // of 20
	}{
		"good":         {func(p []byte) []byte { return p }, numbered, 20},
		"cut":          {func(p []byte) []byte { return p[:len(p)-1] }, numbered, 0},
		"cut in head":  {func(p []byte) []byte { return p[:len(packMagic)+lengthSize+50] }, numbered, 0},
		"only magic":   {func(p []byte) []byte { return p[:len(packMagic)] }, numbered, 0},
		"longer":       {func(p []byte) []byte { return append(bytes.Clone(p), 'x') }, numbered, 0},
		"other magic":  {func(p []byte) []byte { return append([]byte("x"), p...) }, numbered, 0},
		"many":         {func(p []byte) []byte { return patch(p, len(packMagic), 1<<60) }, numbered, 0},
		"huge entry":   {func(p []byte) []byte { return patch(p, len(packMagic)+lengthSize+sha256.Size, 1<<63) }, numbered, 0},
		"key twice":    {func(p []byte) []byte { return twice(p) }, numbered, 0},
		"a Secret":     {func(p []byte) []byte { return bytes.Replace(p, []byte("xkind: Xecret"), []byte("\nkind: Secret"), 1) }, hiding, 19},
		"invalid":      {func(p []byte) []byte { return bytes.Replace(p, []byte("invalix"), []byte("invalid"), 1) }, nearlyInvalid, 19},
		"of other key": {func(p []byte) []byte { p = bytes.Clone(p); p[len(packMagic)+lengthSize]++; return p }, numbered, 19},
	} {
		t.Run(name, func(t *testing.T) {
			shared := &sharedMap{}
			group := make([]keys, len(of))
			second := onMachine(t, shared)
			for i, k := range of {
				group[i] = second.keysOf(k)
			}
			pack := makePack(group, func(k keys) *answer { return &answer{stdout: []byte(c.texts(slices.Index(group, k)))} })
			place := second.packKeys(group)
			shared.Put(place.shared, (&answer{stdout: c.change(pack)}).body())
			second.fetchPack(group)
			used := 0
			for i, k := range of {
				if got := second.Get(k); got != nil {
					if used++; string(got) != c.texts(i) {
						t.Errorf("entry %d is %q", i, got)
					}
				}
			}
			if used != c.used || shared.asked != 1+20-used {
				t.Errorf("%d entries are used, after %d requests", used, shared.asked)
			}
			if kept := second.folder.Read(place.local); name == "a Secret" && kept != nil {
				t.Error("the folder has a Secret")
			}
		})
	}
}

func hiding(i int) string {
	if i == 7 {
		return "a: b\nxkind: Xecret"
	}
	return numbered(i)
}

func nearlyInvalid(i int) string {
	if i == 7 {
		return "invalix"
	}
	return numbered(i)
}

// patch replaces a number.
func patch(pack []byte, at int, number uint64) []byte {
	return append(binary.BigEndian.AppendUint64(bytes.Clone(pack[:at]), number), pack[at+lengthSize:]...)
}

// twice gives the second entry the key of the first.
func twice(pack []byte) []byte {
	pack = bytes.Clone(pack)
	heads := pack[len(packMagic)+lengthSize:]
	copy(heads[packedHead:], heads[:sha256.Size])
	return pack
}

// TestPackLeavesOut has entries that must not leave the machine, or are large: the pack has the others.
func TestPackLeavesOut(t *testing.T) {
	shared := &sharedMap{}
	of := fleet(t, shared, 100, func(i int) string {
		switch i {
		case 3:
			return "x: Secret\n"
		case 4:
			return string(bytes.Repeat([]byte("x"), maxPackable))
		}
		return numbered(i)
	})
	for _, data := range shared.entries {
		if bytes.Contains(data, []byte("Secret")) {
			t.Error("a Secret is shared")
		}
	}
	second := onMachine(t, shared)
	second.Prefetch(slices.Values(of))
	shared.entries = nil
	for i, k := range of {
		if got := second.Get(k); (got == nil) != (i == 3) {
			t.Errorf("entry %d: %d bytes", i, len(got))
		}
	}
}

// TestHeldWithinMemory has little memory: the entries that it does not hold are in the folder, if they are valid.
func TestHeldWithinMemory(t *testing.T) {
	shared := &sharedMap{}
	large := func(i int) string { return string(bytes.Repeat([]byte(numbered(i)), 2000)) }
	of := fleet(t, shared, 100, large)
	second := onMachine(t, shared)
	memlimit.Set(8 << 20)
	defer memlimit.Set(0)
	second.Prefetch(slices.Values(of))
	if second.held.size > 1<<20 || len(second.held.entries) < 20 {
		t.Errorf("%d entries of %d bytes are held", len(second.held.entries), second.held.size)
	}
	asked := shared.asked
	for i, k := range of {
		if got := second.Get(k); string(got) != large(i) {
			t.Errorf("entry %d has %d bytes", i, len(got))
		}
	}
	if shared.asked != asked {
		t.Errorf("%d entries are asked for again", shared.asked-asked)
	}
}

func FuzzReadPack(f *testing.F) {
	group := []keys{{shared: key{1}}, {shared: key{2}}, {shared: key{3}}}
	f.Add(makePack(group, func(k keys) *answer { return &answer{stdout: k.shared[:1]} }))
	f.Fuzz(func(t *testing.T, pack []byte) {
		size := 0
		for _, body := range readPack(pack) {
			size += packedHead + len(body)
		}
		if size > len(pack) {
			t.Errorf("%d bytes come of %d", size, len(pack))
		}
	})
}
