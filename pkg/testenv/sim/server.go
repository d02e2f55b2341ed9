package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// server serves the repositories of a folder with git http-backend, as the proxy for every host. It counts
// what is pushed, and lets faults happen to pushes.
type server struct {
	http.Server
	url      string
	received atomic.Int64
	// onPush is called once, when a pack was sent and before git sees it. If it returns false, git never does.
	onPush atomic.Pointer[func() bool]
	// instead is the repository that answers for the deployments, if it is not empty.
	instead atomic.Value
}

// serve starts a server on the loopback.
func serve(dir string) (*server, error) {
	core, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{url: "http://" + listener.Addr().String() + "/"}
	backend := &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(core)), "git-http-backend"), Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}}
	s.ReadHeaderTimeout = time.Minute
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.handle(w, r, backend) })
	go func() { _ = s.Serve(listener) }()
	return s, nil
}

// handle reads requests to their end first: git-http-backend waits forever for the rest of one that a killed client broke off.
func (s *server) handle(w http.ResponseWriter, r *http.Request, backend http.Handler) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the request was incomplete", http.StatusBadRequest)
		return
	}
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
		s.received.Add(int64(len(body)))
		if hook := s.onPush.Swap(nil); hook != nil && !(*hook)() {
			http.Error(w, "the client is gone", http.StatusServiceUnavailable)
			return
		}
	}
	r = r.Clone(r.Context())
	if instead, _ := s.instead.Load().(string); instead != "" {
		r.URL.Path = strings.Replace(r.URL.Path, "/deployments.git/", "/"+instead+"/", 1)
	}
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	backend.ServeHTTP(w, r)
}
