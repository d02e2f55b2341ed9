package gitrepo_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The kinds of objects in a pack.
const (
	commitKind, treeKind, blobKind = 1, 2, 3
	offsetDelta, idDelta           = 6, 7
)

// packed is an object as it stands in a pack.
type packed struct {
	kind int
	base []byte // before the content of a delta: where its base is
	data []byte
	says int // the size that its header promises; that of data when zero
}

// encode writes objects as a pack that says there are n of them.
func encode(n int, objs ...packed) []byte {
	var b bytes.Buffer
	b.WriteString("PACK\x00\x00\x00\x02")
	_ = binary.Write(&b, binary.BigEndian, uint32(n))
	for _, o := range objs {
		size := o.says
		if size == 0 {
			size = len(o.data)
		}
		head := byte(o.kind<<4 | size&15)
		for size >>= 4; size > 0; size >>= 7 {
			b.WriteByte(head | 0x80)
			head = byte(size & 0x7f)
		}
		b.WriteByte(head)
		b.Write(o.base)
		z := zlib.NewWriter(&b)
		_, _ = z.Write(o.data)
		_ = z.Close()
	}
	sum := sha1.Sum(b.Bytes())
	return append(b.Bytes(), sum[:]...)
}

func idOf(o packed) [20]byte {
	kind := map[int]string{commitKind: "commit", treeKind: "tree", blobKind: "blob"}[o.kind]
	return sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", kind, len(o.data)), o.data...))
}

// line is an entry of a tree.
func line(mode, name string, o packed) string {
	id := idOf(o)
	return mode + " " + name + "\x00" + string(id[:])
}

// commitOf is a commit of a tree with these lines.
func commitOf(lines ...string) (commit, root packed) {
	root = packed{kind: treeKind, data: []byte(strings.Join(lines, ""))}
	id := idOf(root)
	return packed{kind: commitKind, data: fmt.Appendf(nil, "tree %x\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nm\n", id)}, root
}

func pkt(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }

// advertise shows refs, as pairs of id and name, with the capabilities of a plain server.
func advertise(w io.Writer, caps string, refs ...string) {
	fmt.Fprint(w, pkt("# service=git-upload-pack\n"), "0000")
	for i := 0; i < len(refs); i += 2 {
		more := ""
		if i == 0 {
			more = "\x00" + caps
		}
		fmt.Fprint(w, pkt(refs[i]+" "+refs[i+1]+more+"\n"))
	}
	fmt.Fprint(w, "0000")
}

// liar serves a repository whose main is at commit, and answers any request for objects with pack.
func liar(t *testing.T, commit packed, pack func(w io.Writer)) string {
	t.Helper()
	id := idOf(commit)
	name := hex.EncodeToString(id[:])
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			advertise(w, "symref=HEAD:refs/heads/main", name, "HEAD", name, "refs/heads/main")
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, pkt("NAK\n"))
		pack(w)
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/repo.git"
}
