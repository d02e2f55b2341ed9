package ocitest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// Server is a registry that runs.
type Server struct {
	// Host is 127.0.0.1 and a port.
	Host string
}

// URL is the URL of a repository, and of a tag in it if repo has one: oci://127.0.0.1:PORT/repo.
func (s *Server) URL(repo string) string { return "oci://" + s.Host + "/" + repo }

// Option changes a real registry.
type Option func(*config)

type config struct{ user, password string }

// WithLogin makes the registry want a password.
func WithLogin(user, password string) Option {
	return func(c *config) { c.user, c.password = user, password }
}

const yaml = `version: 0.1
log: {level: info}
storage:
  filesystem: {rootdirectory: %q}
  delete: {enabled: true}
http: {addr: "127.0.0.1:0"}
`

// Registry starts a real registry, which ends with the test.
func Registry(t testing.TB, options ...Option) *Server {
	t.Helper()
	testenv.Need(t, testenv.Registry)
	var c config
	for _, o := range options {
		o(&c)
	}
	dir := t.TempDir()
	text := fmt.Sprintf(yaml, filepath.Join(dir, "data"))
	if c.user != "" {
		hash, err := bcrypt.GenerateFromPassword([]byte(c.password), bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "htpasswd"), c.user+":"+string(hash)+"\n")
		text += fmt.Sprintf("auth:\n  htpasswd: {realm: test, path: %q}\n", filepath.Join(dir, "htpasswd"))
	}
	write(t, filepath.Join(dir, "config.yaml"), text)
	return start(t, filepath.Join(dir, "config.yaml"))
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// listening is what the registry says when it takes requests.
var listening = regexp.MustCompile(`listening on (127\.0\.0\.1:\d+)`)

func start(t testing.TB, file string) *Server {
	t.Helper()
	dir, _, err := testenv.RegistryPrograms.Dir()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "registry"), "serve", file) // #nosec G204 -- the folder is the developer's own
	cmd.Env = append(os.Environ(), "OTEL_TRACES_EXPORTER=none")
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	host, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		read(out, host)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		_ = cmd.Wait()
	})
	select {
	case h := <-host:
		return &Server{Host: h}
	case <-ended:
		t.Fatal("the registry ended at once")
	case <-time.After(time.Minute):
		t.Fatal("the registry does not say where it listens")
	}
	return nil
}

// read reads the log of a registry to its end, and sends where it listens.
func read(log io.Reader, host chan<- string) {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			host <- found[1]
			break
		}
	}
	_, _ = io.Copy(io.Discard, log)
}
