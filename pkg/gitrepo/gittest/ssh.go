package gittest

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// SSHServer is OpenSSH's server on the loopback, with keys made for one test.
type SSHServer struct {
	User       string
	Addr       string // host:port
	KeyFile    string // lets User in
	KnownHosts string // file that knows the server's key
	Key        any    // what is in KeyFile
}

// URL is the address of the bare repository in dir.
func (s *SSHServer) URL(dir string) string { return "ssh://" + s.User + "@" + s.Addr + dir }

// NewSSH starts a server. It lets in this user alone, with the key in KeyFile.
func NewSSH(t testing.TB) *SSHServer {
	t.Helper()
	testenv.Need(t, testenv.Git, testenv.SSHD)
	dir := t.TempDir()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s := &SSHServer{User: me.Username, KeyFile: filepath.Join(dir, "key"), KnownHosts: filepath.Join(dir, "known_hosts")}
	hostKey := filepath.Join(dir, "host")
	_, host := newKey(t, hostKey)
	private, public := newKey(t, s.KeyFile)
	s.Key = private
	write(t, filepath.Join(dir, "authorized"), ssh.MarshalAuthorizedKey(public))
	write(t, filepath.Join(dir, "config"), fmt.Appendf(nil, "HostKey %s\nAuthorizedKeysFile %s\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPidFile none\n",
		hostKey, filepath.Join(dir, "authorized")))
	s.Addr = serveSSH(t, filepath.Join(dir, "config"))
	write(t, s.KnownHosts, []byte(knownhosts.Line([]string{s.Addr}, host)+"\n"))
	return s
}

func newKey(t testing.TB, file string) (ed25519.PrivateKey, ssh.PublicKey) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, pem.EncodeToMemory(block))
	public, err := ssh.NewPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	return private, public
}

func write(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// serveSSH gives every connection a process of sshd, as inetd does: no port is guessed, and none
// outlives the test.
func serveSSH(t testing.TB, config string) string {
	t.Helper()
	sshd, err := testenv.SSHDPath()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
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
			go handOver(conn, sshd, config)
		}
	}()
	return l.Addr().String()
}

// handOver lets a process of sshd serve conn. It ends with the connection, which the client's end of
// the test closes.
func handOver(conn net.Conn, sshd, config string) {
	defer conn.Close()
	f, err := conn.(*net.TCPConn).File()
	if err != nil {
		return
	}
	defer f.Close()
	cmd := exec.Command(sshd, "-i", "-f", config)
	cmd.Stdin, cmd.Stdout = f, f
	cmd.Env = append(Env(), "SHELL=/bin/sh")
	_ = cmd.Run() // what goes wrong shows at the client
}
