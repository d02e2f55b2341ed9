package gitrepo_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh/agent"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

func sshOptions(s *gittest.SSHServer) gitrepo.Options {
	return gitrepo.Options{SSH: gitrepo.SSH{KeyFile: s.KeyFile, KnownHosts: []string{s.KnownHosts}}}
}

func TestSSH(t *testing.T) {
	s := gittest.NewSSH(t)
	dir := gittest.NewBare(t)
	url, opts := s.URL(dir), sshOptions(s)
	if r, err := gitrepo.Open(t.Context(), url, opts); err != nil || len(r.Refs()) != 0 {
		t.Fatalf("an empty repository is opened: %v", err)
	}
	old := seed(t, dir, map[string]string{"pkg/a": "1"})
	seed(t, dir, map[string]string{"pkg/a": "2"})
	if f := fetch(t, url, "pkg", "", opts); text(f.Tree)["a"] != "2" || f.Ref != "main" {
		t.Errorf("a package is fetched: %+v", f)
	}
	if f, err := gitrepo.FetchLocked(t.Context(), url, "pkg", "main", hash(t, old), opts); err != nil || text(f.Tree)["a"] != "1" {
		t.Errorf("so is one at an old commit: %v", err)
	}
	r, err := gitrepo.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	st := r.Stage()
	root, err := st.ReplaceDir(gitrepo.Hash{}, "pkg", tree(t, map[string]string{"a": "3"}))
	if err != nil {
		t.Fatal(err)
	}
	who := gitrepo.Signature{Name: "T", Email: "t@example.com", When: gittest.Epoch}
	id, err := st.Commit(gitrepo.Commit{Tree: root, Author: who, Committer: who, Message: "m\n"})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/new", New: id}}); err != nil {
		t.Fatalf("a push goes through: %v", err)
	}
	if f := fetch(t, url, "pkg", "new", opts); text(f.Tree)["a"] != "3" {
		t.Error("what was pushed is there")
	}
	gittest.Fsck(t, dir)
}

// TestSSHNobody has URLs that name no user: the user of the environment is used.
func TestSSHNobody(t *testing.T) {
	s := gittest.NewSSH(t)
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	url := "ssh://" + s.Addr + dir
	env := map[string]string{"LOGNAME": s.User, "WAYBILL_SSH_KEY": s.KeyFile, "SSH_KNOWN_HOSTS": s.KnownHosts}
	opts := gitrepo.Options{SSH: gitrepo.SSHFromEnvironment(func(k string) string { return env[k] })}
	if f := fetch(t, url, "", "main", opts); text(f.Tree)["a"] != "1" {
		t.Errorf("we are let in by our own name: %+v", f)
	}
	for _, nobody := range []string{url, "host:" + dir} {
		if _, err := gitrepo.FetchPackage(t.Context(), nobody, "", "main", sshOptions(s)); err == nil || !strings.Contains(err.Error(), "write USER@ before the host") || gitrepo.IsLocal(nobody) {
			t.Errorf("%s: want an error without a user: %v", nobody, err)
		}
	}
}

// TestSSHPath has a path that a shell would take apart.
func TestSSHPath(t *testing.T) {
	s := gittest.NewSSH(t)
	dir := filepath.Join(t.TempDir(), "it's a $(touch x); repo!.git")
	gittest.Git(t, ".", "clone", "--quiet", "--bare", gittest.NewBare(t), dir)
	seed(t, dir, map[string]string{"a": "1"})
	for _, url := range []string{s.URL(strings.ReplaceAll(dir, " ", "%20"))} {
		if f := fetch(t, url, "", "main", sshOptions(s)); text(f.Tree)["a"] != "1" {
			t.Error("a path is one word, whatever is in it")
		}
	}
}

// serveAgent is an agent that holds a key.
func serveAgent(t *testing.T, key any) (socket string) {
	t.Helper()
	keys := agent.NewKeyring()
	if err := keys.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(t.TempDir(), "agent")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(keys, conn) }()
		}
	}()
	return socket
}

func TestSSHKeys(t *testing.T) {
	s, other := gittest.NewSSH(t), gittest.NewSSH(t)
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	ours, theirs := serveAgent(t, s.Key), serveAgent(t, other.Key)
	home := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(home, ".ssh"), 0o700), os.Link(s.KeyFile, filepath.Join(home, ".ssh", "id_ed25519"))); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason string
		env    map[string]string
	}{
		"agent":          {"the agent's key lets in", map[string]string{"SSH_AUTH_SOCK": ours}},
		"named":          {"so does the key that is named", map[string]string{"WAYBILL_SSH_KEY": s.KeyFile}},
		"named wrongly":  {"where that one does not, the agent's may", map[string]string{"WAYBILL_SSH_KEY": other.KeyFile, "SSH_AUTH_SOCK": ours}},
		"home":           {"the key that OpenSSH would use serves, too", map[string]string{"HOME": home}},
		"home and agent": {"whatever the agent holds", map[string]string{"HOME": home, "SSH_AUTH_SOCK": theirs}},
		"no agent":       {"or whether it answers", map[string]string{"HOME": home, "SSH_AUTH_SOCK": "/nonexistent/agent"}},
	} {
		t.Run(name, func(t *testing.T) {
			tc.env["SSH_KNOWN_HOSTS"] = s.KnownHosts
			opts := gitrepo.Options{SSH: gitrepo.SSHFromEnvironment(func(k string) string { return tc.env[k] })}
			if f := fetch(t, s.URL(dir), "", "main", opts); text(f.Tree)["a"] != "1" {
				t.Error(tc.reason)
			}
		})
	}
}

func TestSSHErrors(t *testing.T) {
	s, other := gittest.NewSSH(t), gittest.NewSSH(t)
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	keep := func(name, data string, mode os.FileMode) string {
		p := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(p, []byte(data), mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	good := sshOptions(s).SSH
	key := string(readFile(t, s.KeyFile))
	_, hostOfOther, _ := strings.Cut(string(readFile(t, other.KnownHosts)), " ")
	changed := "[" + strings.Replace(s.Addr, ":", "]:", 1) + " " + hostOfOther
	for name, tc := range map[string]struct {
		reason, url, says string
		ssh               gitrepo.SSH
	}{
		"no hosts":      {"a host that no file knows is not talked to", s.URL(dir), "is not known", gitrepo.SSH{KeyFile: s.KeyFile}},
		"other hosts":   {"nor one that the file does not know", s.URL(dir), "is not known", gitrepo.SSH{KeyFile: s.KeyFile, KnownHosts: []string{other.KnownHosts}}},
		"changed host":  {"nor one that shows another key", s.URL(dir), "shows another key", gitrepo.SSH{KeyFile: s.KeyFile, KnownHosts: []string{keep("kh", changed, 0o600)}}},
		"revoked host":  {"nor one whose key was revoked", s.URL(dir), "shows another key", gitrepo.SSH{KeyFile: s.KeyFile, KnownHosts: []string{keep("kh", string(readFile(t, s.KnownHosts))+"@revoked "+string(readFile(t, s.KnownHosts)), 0o600)}}},
		"no key":        {"a key is needed", s.URL(dir), "neither an SSH agent nor a key file", gitrepo.SSH{KnownHosts: good.KnownHosts}},
		"wrong key":     {"and be known there", s.URL(dir), "authentication failed: none of the keys there are opens it: add one that does to an SSH agent", gitrepo.SSH{KeyFile: other.KeyFile, KnownHosts: good.KnownHosts}},
		"open key":      {"a key that others may read is not used", s.URL(dir), "may be read by others (mode 0644)", gitrepo.SSH{KeyFile: keep("key", key, 0o644), KnownHosts: good.KnownHosts}},
		"missing key":   {"a key must be there", s.URL(dir), "no such file", gitrepo.SSH{KeyFile: "/nonexistent/key", KnownHosts: good.KnownHosts}},
		"broken key":    {"and be one", s.URL(dir), "is not a private key", gitrepo.SSH{KeyFile: keep("key", "s3cret", 0o600), KnownHosts: good.KnownHosts}},
		"unused key":    {"it is said why a key is passed over", s.URL(dir), "may be read by others", gitrepo.SSH{Identities: []string{"/nonexistent/key", keep("key", key, 0o644)}, KnownHosts: good.KnownHosts}},
		"no agent":      {"an agent must answer", s.URL(dir), "SSH agent", gitrepo.SSH{AgentSocket: "/nonexistent/agent", KnownHosts: good.KnownHosts}},
		"no repository": {"a missing repository is said to be missing", s.URL(dir + "-not"), "does not exist", good},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gitrepo.FetchPackage(t.Context(), tc.url, "", "main", gitrepo.Options{SSH: tc.ssh})
			if err == nil || !strings.Contains(err.Error(), tc.says) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
}

// TestSSHSilence connects to a server that says nothing: the context ends it.
func TestSSHSilence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := gittest.NewSSH(t)
	_, key, _ := strings.Cut(string(readFile(t, s.KnownHosts)), " ")
	known := filepath.Join(t.TempDir(), "kh")
	if err := os.WriteFile(known, []byte("["+strings.Replace(l.Addr().String(), ":", "]:", 1)+" "+key), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = gitrepo.FetchPackage(ctx, "ssh://me@"+l.Addr().String()+"/a.git", "", "", gitrepo.Options{SSH: gitrepo.SSH{KeyFile: s.KeyFile, KnownHosts: []string{known}}})
	var lost *gitrepo.UnreachableError
	if !errors.As(err, &lost) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a server that says nothing is waited for no longer than the context allows: %v", err)
	}
}
