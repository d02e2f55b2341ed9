package gitrepo_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestSilence has web servers that stop in the middle, and only the client ends the conversation.
func TestSilence(t *testing.T) {
	file := packed{kind: blobKind, data: []byte("x\n")}
	commit, root := commitOf(line("100644", "a", file))
	id := fmt.Sprintf("%x", idOf(commit))
	pack := encode(3, commit, root, file)
	const limit = 300 * time.Millisecond
	for name, tc := range map[string]struct{ reason, at string }{
		"at once":        {"before anything", "GET"},
		"after the refs": {"when it is asked for objects", "POST"},
		"in the pack":    {"in the middle of them", "pack"},
		"slow":           {"one that goes on, however slowly, is heard to its end", "never"},
	} {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.Method == tc.at:
					<-release
				case r.Method == http.MethodGet:
					advertise(w, "", id, "refs/heads/main")
				case tc.at == "pack":
					fmt.Fprint(w, pkt("NAK\n"), string(pack[:50]))
					w.(http.Flusher).Flush()
					<-release
				default:
					fmt.Fprint(w, pkt("NAK\n"))
					dripping(w, pack, limit/6)
				}
			}))
			t.Cleanup(func() { close(release); srv.Close() })
			_, err := gitrepo.FetchPackage(t.Context(), srv.URL+"/a.git", "", "main", gitrepo.Options{Bounds: gitrepo.Bounds{Silence: limit}})
			checkSilent(t, tc.reason, err, tc.at != "never")
		})
	}
}

// dripping writes in ten pieces.
func dripping(w io.Writer, data []byte, pause time.Duration) {
	step := len(data)/10 + 1
	for at := 0; at < len(data); at += step {
		_, _ = w.Write(data[at:min(len(data), at+step)])
		w.(http.Flusher).Flush()
		time.Sleep(pause)
	}
}

func checkSilent(t *testing.T, reason string, err error, silent bool) {
	t.Helper()
	var lost *gitrepo.UnreachableError
	switch {
	case !silent && err != nil:
		t.Errorf("%s: %v", reason, err)
	case silent && (!errors.As(err, &lost) || !strings.Contains(err.Error(), "it sent and received nothing for 300ms")):
		t.Errorf("%s: %v", reason, err)
	}
}

// TestSilentPrograms has a git of this machine, and a host, that say nothing.
func TestSilentPrograms(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	o := gitrepo.Options{Bounds: gitrepo.Bounds{Silence: 300 * time.Millisecond}}
	t.Run("local", func(t *testing.T) {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nexec sleep 60\n"), 0o700); err != nil { // #nosec G306 -- a program
			t.Fatal(err)
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		_, err := gitrepo.FetchPackage(t.Context(), dir, "", "main", o)
		checkSilent(t, "a git that hangs is ended", err, true)
	})
	t.Run("ssh", func(t *testing.T) {
		good := gittest.NewSSH(t)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		known, err := os.ReadFile(good.KnownHosts)
		if err != nil {
			t.Fatal(err)
		}
		mute := strings.ReplaceAll(string(known), portOf(t, good.Addr), portOf(t, l.Addr().String()))
		file := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(file, []byte(mute), 0o600); err != nil {
			t.Fatal(err)
		}
		o.SSH = gitrepo.SSH{KeyFile: good.KeyFile, KnownHosts: []string{file}}
		_, err = gitrepo.FetchPackage(t.Context(), "ssh://"+good.User+"@"+l.Addr().String()+dir, "", "main", o)
		checkSilent(t, "a host that takes a connection and says nothing is given up", err, true)
	})
}

func portOf(t *testing.T, addr string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestCutAnswers cuts a real answer of git's at every byte: what is left is said to have ended early.
func TestCutAnswers(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	var keep, size int
	url := gittest.NewHTTP(t, dir, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				next.ServeHTTP(w, r)
				return
			}
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			size = rec.Body.Len()
			w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
			_, _ = w.Write(rec.Body.Bytes()[:min(keep, size)])
		})
	})
	keep = 1 << 20
	fetch(t, url, "", "main", gitrepo.Options{})
	const flush = len("0000")
	for keep = 1; keep < size-flush; keep += 3 {
		_, err := gitrepo.FetchPackage(t.Context(), url, "", "main", gitrepo.Options{})
		if keep >= size-flush { // what git says of its progress is not always as long: this one came whole
			break
		}
		var pack *gitrepo.PackError
		var lost *gitrepo.UnreachableError
		if !errors.As(err, &pack) && !errors.As(err, &lost) || strings.Contains(err.Error(), "is not a commit") {
			t.Fatalf("cut after %d of %d bytes: %v", keep, size, err)
		}
	}
}

// TestDrips has servers that send a byte now and then, over HTTP and from a program: they are never silent for long,
// and never done. The error names the server, and none of the credentials.
func TestDrips(t *testing.T) {
	bounds := gitrepo.Bounds{Silence: 10 * time.Second, Timeout: 400 * time.Millisecond}
	ended := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		fmt.Fprint(w, pkt("# service=git-upload-pack\n")+"0000")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, "1")
			w.(http.Flusher).Flush()
			time.Sleep(40 * time.Millisecond)
		}
	}))
	t.Cleanup(srv.Close)
	bin := t.TempDir()
	script := "#!/bin/sh\nwhile printf 1; do sleep 0.04; done\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil { // #nosec G306 -- a program
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	local := t.TempDir()
	for url, name := range map[string]string{strings.Replace(srv.URL, "//", "//me:s3cret@", 1) + "/a.git": srv.URL + "/a.git", local: local} {
		_, err := gitrepo.Open(t.Context(), url, gitrepo.Options{Bounds: bounds})
		var lost *gitrepo.UnreachableError
		want := fmt.Sprintf("repository %q cannot be reached: the conversation with it took longer than 400ms; it may be overloaded: try again later", name)
		if !errors.As(err, &lost) || err.Error() != want {
			t.Errorf("want %s\ngot  %v", want, err)
		}
	}
	<-ended // the connection is closed
}

// TestTimeout has a server that sends much, and never comes to an end.
func TestTimeout(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, pkt("# service=git-upload-pack\n")+"0000")
		fmt.Fprint(w, pkt(strings.Repeat("1", 40)+" refs/heads/a\x00\n"))
		for line := pkt(strings.Repeat("1", 40) + " refs/heads/b\n"); r.Context().Err() == nil; {
			_, _ = io.WriteString(w, line)
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(srv.Close)
	_, err := gitrepo.Open(t.Context(), srv.URL+"/a.git", gitrepo.Options{Bounds: gitrepo.Bounds{Timeout: 300 * time.Millisecond, Refs: 1 << 40}})
	if err == nil || !strings.Contains(err.Error(), "the conversation with it took longer than 300ms") {
		t.Errorf("got %v", err)
	}
}
