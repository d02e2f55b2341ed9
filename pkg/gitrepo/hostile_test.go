package gitrepo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// endless writes what next gives until the client has enough.
func endless(w io.Writer, next func() []byte) {
	for {
		if _, err := w.Write(next()); err != nil {
			return
		}
	}
}

func TestHostilePacks(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	commit, root := commitOf(line("100644", "a", file))
	whole := encode(3, commit, root, file)
	rootID, fileID := idOf(root), idOf(file)
	varint := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	delta := func(from, to int, ops ...byte) []byte { return append(append(varint(from), varint(to)...), ops...) }
	zeros := packed{kind: blobKind, data: make([]byte, 4<<20)}
	garbled := bytes.Clone(whole)
	garbled[len(garbled)-1] ^= 1
	for name, tc := range map[string]struct {
		reason string
		pack   []byte
		says   string
		bounds bool // it is too much, and not just broken
	}{
		"good":             {reason: "the pack that the others are made of", pack: whole},
		"nothing":          {reason: "nothing is no pack", pack: nil, says: "it is empty, or the answer ended early"},
		"no pack":          {reason: "nor is a page", pack: []byte("<html>hello, this is not git</html>"), says: "not a pack"},
		"promised more":    {reason: "objects that were promised must come", pack: encode(4, commit, root, file), says: "object 4 of 4"},
		"fewer":            {reason: "a pack that holds what is not asked for lacks what is", pack: encode(1, file), says: "is not a commit"},
		"cut":              {reason: "a pack ends in its checksum", pack: whole[:len(whole)-3], says: "ends too early"},
		"cut early":        {reason: "wherever it is cut", pack: whole[:40], says: "ends too early"},
		"wrong checksum":   {reason: "which is right", pack: garbled, says: "checksum is wrong"},
		"tree missing":     {reason: "a commit has a tree", pack: encode(2, commit, file), says: "is missing"},
		"blob missing":     {reason: "a file has content", pack: encode(2, commit, root), says: "a: blob " + fmt.Sprintf("%x", fileID) + " is missing"},
		"wrong kind":       {reason: "a tree is not a blob", pack: encode(3, commit, packed{kind: blobKind, data: root.data}, file), says: "is missing"},
		"unknown kind":     {reason: "there are no other kinds", pack: encode(1, packed{kind: 5, data: []byte("x")}), says: "type 5 is unknown"},
		"count":            {reason: "the number of objects is bounded", pack: encode(1 << 30), says: "more than 1000 objects", bounds: true},
		"zlib bomb":        {reason: "a small pack of a large object is refused by its size", pack: encode(1, zeros), says: "more than 1048576 bytes in one object", bounds: true},
		"silent zlib bomb": {reason: "also when it says it is small", pack: encode(1, packed{kind: blobKind, data: zeros.data, says: 10}), says: "its header gives 10 bytes"},
		"promised size":    {reason: "an object has the size that it says", pack: encode(1, packed{kind: blobKind, data: []byte("x"), says: 1000}), says: "its header gives 1000 bytes"},
		"endless size":     {reason: "sizes have an end", pack: append(encode(1)[:12], bytes.Repeat([]byte{0xff}, 100)...), says: "bytes in one object", bounds: true},
		"many zlib bombs":  {reason: "all objects together are bounded", pack: encode(900, many(9, packed{kind: blobKind, data: make([]byte, 1<<20)})...), says: "more than 8388608 bytes in all objects", bounds: true},
		"delta bomb": {reason: "so is what deltas make", says: "more than 8388608 bytes in all objects", bounds: true,
			pack: encode(100, append([]packed{{kind: blobKind, data: make([]byte, 1<<20)}}, many(90, packed{kind: idDelta, base: idBytes(packed{kind: blobKind, data: make([]byte, 1<<20)}), data: delta(1<<20, 1<<20, bytes.Repeat([]byte{0x80}, 16)...)})...)...)},
		"large delta":      {reason: "each of it is", pack: encode(1, packed{kind: idDelta, base: rootID[:], data: delta(10, 1<<30, 0x80)}), says: "more than 1048576 bytes in one object", bounds: true},
		"delta of itself":  {reason: "a delta has a base", pack: encode(1, packed{kind: offsetDelta, base: []byte{0}, data: delta(1, 1, 1, 'x')}), says: "its base is missing"},
		"delta of nothing": {reason: "that is in the pack", pack: encode(4, commit, root, file, packed{kind: idDelta, base: make([]byte, 20), data: delta(1, 1, 1, 'x')}), says: "1 objects are deltas of objects missing from it"},
		"delta too long":   {reason: "a delta takes from its base what is there", pack: encode(4, commit, root, file, packed{kind: idDelta, base: fileID[:], data: delta(2, 9, 0x91, 1, 8)}), says: "not a delta of its base"},
		"delta of another": {reason: "whose size it knows", pack: encode(4, commit, root, file, packed{kind: idDelta, base: fileID[:], data: delta(3, 1, 1, 'x')}), says: "not a delta of its base"},
		"delta makes less": {reason: "and makes what it says", pack: encode(4, commit, root, file, packed{kind: idDelta, base: fileID[:], data: delta(2, 5, 1, 'x')}), says: "not a delta of its base"},
		"delta cut":        {reason: "it is whole", pack: encode(4, commit, root, file, packed{kind: idDelta, base: fileID[:], data: delta(2, 5, 9, 'x')}), says: "not a delta of its base"},
		"delta of no size": {reason: "and begins with sizes", pack: encode(4, commit, root, file, packed{kind: idDelta, base: fileID[:], data: []byte{0xff}}), says: "not a delta of its base"},
	} {
		t.Run(name, func(t *testing.T) {
			url := liar(t, commit, func(w io.Writer) { _, _ = w.Write(tc.pack) })
			opts := cached(t, t.TempDir()+"/cache")
			opts.Bounds = gitrepo.Bounds{Objects: 125, Object: 1 << 20, Total: 1 << 20}
			_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", opts)
			if tc.says == "" {
				if err != nil {
					t.Errorf("%s: %v", tc.reason, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.says) || tooMany(err) != tc.bounds || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.says)
			}
			if _, again := gitrepo.FetchPackage(t.Context(), url, "", "main", opts); again == nil || again.Error() != err.Error() {
				t.Errorf("%s: the second time it is %v, so something was kept", tc.reason, again)
			}
		})
	}
}

func many(n int, o packed) (out []packed) {
	for range n {
		out = append(out, o)
	}
	return out
}

func idBytes(o packed) []byte { id := idOf(o); return id[:] }

// TestLongDeltaChain has deltas of deltas, each before its base: the last object frees them all.
func TestLongDeltaChain(t *testing.T) {
	const n = 2000
	objs := []packed{{kind: blobKind, data: []byte("0")}}
	var deltas []packed
	for i := 1; i < n; i++ {
		text := fmt.Sprint(i)
		base := objs[len(objs)-1]
		data := append([]byte{byte(len(base.data)), byte(len(text)), byte(len(text))}, text...)
		deltas = append([]packed{{kind: idDelta, base: idBytes(base), data: data}}, deltas...)
		objs = append(objs, packed{kind: blobKind, data: []byte(text)})
	}
	commit, root := commitOf(line("100644", "last", objs[n-1]))
	all := append(append(deltas, commit, root), objs[0])
	url := liar(t, commit, func(w io.Writer) { _, _ = w.Write(encode(len(all), all...)) })
	if f := fetch(t, url, "", "main", gitrepo.Options{}); text(f.Tree)["last"] != fmt.Sprint(n-1) {
		t.Error("a chain of deltas is followed to its end")
	}
}

// TestEndlessAnswers has servers that never stop: what they send beyond the bounds is not held.
func TestEndlessAnswers(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // or garbage counts, too
	commit, _ := commitOf()
	noise := func() []byte { return bytes.Repeat([]byte("x"), 64<<10) }
	id := fmt.Sprintf("%x", idOf(commit))
	opts := gitrepo.Options{Bounds: gitrepo.Bounds{Refs: 1 << 20, Pack: 1 << 20, Objects: 1 << 20}}
	number := 0
	for name, tc := range map[string]struct {
		reason, says string
		get, post    func(w http.ResponseWriter)
	}{
		"pack": {"a pack of objects without end is bounded by its bytes", "more than", nil, func(w http.ResponseWriter) {
			fmt.Fprint(w, pkt("NAK\n"))
			_, _ = w.Write(encode(1 << 20)[:12])
			pack := encode(1000, many(1000, packed{kind: blobKind, data: []byte("x")})...)
			endless(w, func() []byte { return pack[12 : len(pack)-20] })
		}},
		"refs": {"a list of refs without end is bounded", "more than 1048576 bytes in the list of refs", func(w http.ResponseWriter) {
			fmt.Fprint(w, pkt("# service=git-upload-pack\n"), "0000", pkt(id+" refs/heads/main\x00\n"))
			endless(w, func() []byte { number++; return []byte(pkt(fmt.Sprintf("%s refs/heads/b%d\n", id, number))) })
		}, nil},
		"error page": {"so is a page that says what went wrong", "more than 1048576 bytes in an error page", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusForbidden)
			endless(w, noise)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == http.MethodPost:
					tc.post(w)
				case tc.get != nil:
					tc.get(w)
				default:
					advertise(w, "", id, "refs/heads/main")
				}
			}))
			t.Cleanup(srv.Close)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := gitrepo.FetchPackage(t.Context(), srv.URL+"/a.git", "", "main", opts)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), tc.says) && name != "error page" {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 256<<20 {
				t.Errorf("%s: %d bytes are held", tc.reason, held)
			}
		})
	}
}

// TestHostileTrees has trees that no git would check out.
func TestHostileTrees(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	sub := packed{kind: treeKind, data: []byte(line("100644", "config", file))}
	for name, tc := range map[string]struct {
		reason, says string
		lines        []string
	}{
		"git":             {"Git's own directory is no package's", `".git" is not a file name`, []string{line("40000", ".git", sub)}},
		"GIT":             {"in whatever letters", `".GIT" is not a file name`, []string{line("40000", ".GIT", sub)}},
		"short name":      {"or other spelling that a file system takes for it", `"git~1" is not a file name`, []string{line("40000", "git~1", sub)}},
		"unseen":          {"or characters it does not see", `is not a file name`, []string{line("40000", ".g\u200cit", sub)}},
		"up":              {"nothing leads out", `".." is not a file name`, []string{line("40000", "..", sub)}},
		"here":            {"or nowhere", `"." is not a file name`, []string{line("40000", ".", sub)}},
		"slash":           {"a name is one name", `"a/../../b" is not a file name`, []string{line("100644", "a/../../b", file)}},
		"absolute":        {"and not a path", `"/etc/passwd" is not a file name`, []string{line("100644", "/etc/passwd", file)}},
		"backslash":       {"of any system", `is not a file name`, []string{line("100644", `..\b`, file)}},
		"control":         {"control characters are refused, and quoted", `"a\nb" is not a file name`, []string{line("100644", "a\nb", file)}},
		"twice":           {"a name is there once", `a: the directory lists it twice`, []string{line("100644", "a", file), line("100644", "a", file)}},
		"file and folder": {"as one thing", `a: the directory lists it twice`, []string{line("100644", "a", file), line("40000", "a", sub)}},
		"link and file":   {"also when one of them is left out", `a: the directory lists it twice`, []string{line("120000", "a", file), line("40000", "a", sub)}},
		"no mode":         {"every entry has a mode", "malformed tree", []string{" a\x00" + strings.Repeat("x", 20)}},
		"odd mode":        {"that is known", `unknown file mode "777"`, []string{line("777", "a", file)}},
		"cut":             {"and an id", "malformed tree", []string{"100644 a\x00short"}},
		"file as folder":  {"a folder is a tree", "is a blob, want a tree", []string{line("40000", "a", file)}},
		"folder as file":  {"a file is a blob", "is a tree, want a blob", []string{line("100644", "a", sub)}},
	} {
		t.Run(name, func(t *testing.T) {
			commit, root := commitOf(tc.lines...)
			url := liar(t, commit, func(w io.Writer) { _, _ = w.Write(encode(4, commit, root, sub, file)) })
			_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{})
			if err == nil || !strings.Contains(err.Error(), tc.says) || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.says)
			}
		})
	}
}

// TestTreeBomb has a tree of twenty storeys whose folders are all the same: a million files in a pack
// of a kilobyte.
func TestTreeBomb(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	all := []packed{file, {kind: treeKind, data: []byte(line("100644", "f", file))}}
	for range 20 {
		last := all[len(all)-1]
		all = append(all, packed{kind: treeKind, data: []byte(line("40000", "a", last) + line("40000", "b", last))})
	}
	commit, root := commitOf(line("40000", "top", all[len(all)-1]))
	all = append(all, commit, root)
	url := liar(t, commit, func(w io.Writer) { _, _ = w.Write(encode(len(all), all...)) })
	opts := gitrepo.Options{}
	if _, err := gitrepo.FetchPackage(t.Context(), url, "", "main", opts); err == nil || !strings.Contains(err.Error(), "more than 100000 files and directories") {
		t.Errorf("files are bounded, however small the pack: %v", err)
	}
}

func TestHostileRefs(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	commit, root := commitOf(line("100644", "a", file))
	id := fmt.Sprintf("%x", idOf(commit))
	serve := func(caps string, refs ...string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				advertise(w, caps, refs...)
				return
			}
			fmt.Fprint(w, pkt("NAK\n"))
			_, _ = w.Write(encode(3, commit, root, file))
		}))
		t.Cleanup(srv.Close)
		return srv.URL + "/a.git"
	}
	odd := serve("", id, "refs/heads/../../../evil", id, "refs/heads/-x", id, "refs/heads/\x1b[31m", id, "refs/heads/main", id, "HEAD/../x")
	if f := fetch(t, odd, "", "main", gitrepo.Options{}); f.Ref != "main" || text(f.Tree)["a"] != "x\n" {
		t.Errorf("refs with odd names are looked past: %+v", f)
	}
	for _, target := range []string{"refs/heads/../x", "refs/heads/-x\x1b", "refs/heads/a\tb", "refs/remotes/x", ""} {
		url := serve("symref=HEAD:"+target, id, "HEAD", id, target+"x", id, "refs/heads/main")
		if f, err := gitrepo.FetchPackage(t.Context(), url, "", "", gitrepo.Options{}); err == nil || strings.ContainsAny(err.Error(), "\x1b\t\n") {
			t.Errorf("a default branch of an odd name %q is refused: %+v, %v", target, f, err)
		}
	}
}

func TestRedirects(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	var leaked, asked atomic.Int32
	spy := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if r.Header.Get("Authorization") != "" || r.URL.User != nil || strings.Contains(r.URL.String(), "s3cret") {
				leaked.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}
	elsewhere := gittest.NewHTTP(t, dir, spy)
	redirect := func(method string) string {
		here := gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret"), func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == method {
					http.Redirect(w, r, strings.TrimSuffix(elsewhere, "/repo.git")+r.URL.RequestURI(), http.StatusTemporaryRedirect)
					return
				}
				next.ServeHTTP(w, r)
			})
		})
		return here
	}
	for name, creds := range map[string]gitrepo.Credentials{"password": {Username: "me", Password: "s3cret"}, "none": {}} {
		url := redirect(http.MethodGet)
		_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{Credentials: creds})
		if name == "password" && err != nil {
			t.Errorf("the first request may be sent elsewhere, as Git allows: %v", err)
		}
	}
	if asked.Load() == 0 || leaked.Load() != 0 {
		t.Errorf("credentials went along %d times in %d requests", leaked.Load(), asked.Load())
	}
	before := asked.Load()
	_, err := gitrepo.FetchPackage(t.Context(), redirect(http.MethodPost), "", "main", gitrepo.Options{Credentials: gitrepo.Credentials{Username: "me", Password: "s3cret"}})
	if err == nil || !strings.Contains(err.Error(), "redirect") || strings.Contains(err.Error(), "s3cret") || asked.Load() != before {
		t.Errorf("later requests are not sent elsewhere: %v, %d more requests", err, asked.Load()-before)
	}
}

// TestHangs has servers that stop in the middle: the context ends the wait.
func TestHangs(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	commit, root := commitOf(line("100644", "a", file))
	id := fmt.Sprintf("%x", idOf(commit))
	for name, at := range map[string]string{"at once": "GET", "after the refs": "POST", "in the pack": "pack"} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{}) // closed, and not sent on: the time may be up before the server hangs
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == at {
					<-release
					return
				}
				if r.Method == http.MethodGet {
					advertise(w, "", id, "refs/heads/main")
					return
				}
				fmt.Fprint(w, pkt("NAK\n"))
				_, _ = w.Write(encode(3, commit, root, file)[:50])
				w.(http.Flusher).Flush()
				<-release
			}))
			t.Cleanup(func() { close(release); srv.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err := gitrepo.FetchPackage(ctx, srv.URL+"/a.git", "", "main", gitrepo.Options{})
			var lost *gitrepo.UnreachableError
			if !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a server that hangs is waited for no longer than the context allows: %v", err)
			}
		})
	}
}

// TestHugeBlob has a real git send a file that is larger than is taken.
func TestHugeBlob(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		seed(t, dir, map[string]string{"a": strings.Repeat("0123456789abcdef", 1<<16)})
		_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{Bounds: gitrepo.Bounds{Object: 1<<20 - 1}})
		if !tooMany(err) || !strings.Contains(err.Error(), "more than 1048575 bytes in one object") {
			t.Errorf("a huge file is refused: %v", err)
		}
		fetch(t, url, "", "main", gitrepo.Options{Bounds: gitrepo.Bounds{Object: 1 << 20}})
	})
}
