package krm_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const twoObjects = "# first\napiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: a # here\ndata: {x: \"1\"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n"

// TestParsed reads the same text under two names: each reader gets objects of its own, as if no other reader had
// read it before.
func TestParsed(t *testing.T) {
	var p krm.Parsed
	reads := 0
	read := func(file, text string, id byte) []*krm.Object {
		t.Helper()
		objs, err := p.Read(file, [20]byte{id}, len(text), func() ([]*krm.Object, error) {
			reads++
			return krm.Read(file, []byte(text), krm.Limits{})
		})
		if err != nil {
			t.Fatal(err)
		}
		return objs
	}
	first := read("a.yaml", twoObjects, 1)
	first[0].SetAnnotation("mine", "yes") // must not show in the other copy
	second, fresh := read("b.yaml", twoObjects, 1), must(krm.Read("b.yaml", []byte(twoObjects), krm.Limits{}))
	if reads != 1 {
		t.Errorf("parsed %d times", reads)
	}
	for i, o := range second {
		if !krm.Same(o, fresh[i]) || o.Source != fresh[i].Source || o.Index() != fresh[i].Index() || o.Copied() || o.Origin() == first[i].Origin() {
			t.Errorf("object %d is not as if freshly read: %+v", i, o.Source)
		}
	}
	want, _ := krm.Write(fresh)
	got, _ := krm.Write(second)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("written (-fresh +kept):\n%s", diff)
	}
}

func TestParsedKeepsNoErrors(t *testing.T) {
	var p krm.Parsed
	bad := errors.New("bad")
	for range 2 {
		if _, err := p.Read("x", [20]byte{}, 0, func() ([]*krm.Object, error) { return nil, bad }); !errors.Is(err, bad) {
			t.Errorf("got %v", err)
		}
	}
}

// TestParsedIsBounded reads more than it keeps, from many goroutines at once.
func TestParsedIsBounded(t *testing.T) {
	var p krm.Parsed
	text := make([]byte, 1<<20)
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			_, err := p.Read("x", [20]byte{byte(i)}, len(text), func() ([]*krm.Object, error) {
				return krm.Read("x", []byte(twoObjects), krm.Limits{})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if kept := p.Bytes(); kept > 8<<20 {
		t.Errorf("keeps %d bytes", kept)
	}
}

func must(objs []*krm.Object, err error) []*krm.Object {
	if err != nil {
		panic(err)
	}
	return objs
}
