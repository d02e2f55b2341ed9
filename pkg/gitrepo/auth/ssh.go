package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/skeema/knownhosts"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// SSH configures authentication against SSH servers: the keys of an agent, the key in a file, or both, and only
// for hosts with known keys.
type SSH struct {
	User        string   // for URLs that name none
	AgentSocket string   // path of the agent's socket
	KeyFile     string   // path of a private key without passphrase, readable by its owner alone
	Identities  []string // paths of more such keys; those that cannot be used are skipped
	KnownHosts  []string // paths of known_hosts files, of which at least one must exist
}

// SSHFromEnvironment is what an SSH client finds in its environment: the user in USER or LOGNAME, the agent at SSH_AUTH_SOCK, the key
// in the file WAYBILL_SSH_KEY or else those that OpenSSH uses unasked, the hosts in the files of
// SSH_KNOWN_HOSTS, which are by default those of OpenSSH.
func SSHFromEnvironment(getenv func(string) string) SSH {
	s := SSH{User: cmp.Or(getenv("USER"), getenv("LOGNAME")), AgentSocket: getenv("SSH_AUTH_SOCK"), KeyFile: getenv("WAYBILL_SSH_KEY")}
	if home := getenv("HOME"); home != "" && s.KeyFile == "" {
		for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
			s.Identities = append(s.Identities, filepath.Join(home, ".ssh", name))
		}
	}
	if s.KnownHosts = filepath.SplitList(getenv("SSH_KNOWN_HOSTS")); len(s.KnownHosts) > 0 {
		return s
	}
	if home := getenv("HOME"); home != "" {
		s.KnownHosts = append(s.KnownHosts, filepath.Join(home, ".ssh", "known_hosts"))
	}
	s.KnownHosts = append(s.KnownHosts, "/etc/ssh/ssh_known_hosts")
	return s
}

// ClientConfig is for a connection of user to addr, HOST:PORT. The caller calls close when the connection has ended.
func (s SSH) ClientConfig(ctx context.Context, user, addr string) (c *ssh.ClientConfig, close func(), err error) {
	c = &ssh.ClientConfig{User: user}
	if c.HostKeyCallback, c.HostKeyAlgorithms, err = s.hosts(addr); err != nil {
		return nil, nil, err
	}
	keys, close, err := s.keys(ctx)
	if err != nil {
		return nil, nil, err
	}
	// one method for all keys: a client tries each method once
	c.Auth = []ssh.AuthMethod{ssh.PublicKeysCallback(keys)}
	return c, close, nil
}

// keys returns all keys in the order to try them: the one named, the agent's, the others. The caller calls close when it no
// longer needs them.
func (s SSH) keys(ctx context.Context) (keys func() ([]ssh.Signer, error), close func(), err error) {
	var named []ssh.Signer
	if s.KeyFile != "" {
		key, err := readKey(s.KeyFile)
		if err != nil {
			return nil, nil, err
		}
		named = append(named, key)
	}
	others, unused := readKeys(s.Identities)
	held, close, err := s.agent(ctx)
	if err != nil && len(named)+len(others) == 0 {
		return nil, nil, errors.Join(err, unused)
	}
	return func() ([]ssh.Signer, error) {
		inAgent, err := held()
		if all := slices.Concat(named, inAgent, others); len(all) > 0 {
			return all, nil
		}
		return nil, errors.Join(err, unused)
	}, close, nil
}

// readKeys reads the keys that can be used; unused says why others that exist cannot.
func readKeys(files []string) (keys []ssh.Signer, unused error) {
	for _, file := range files {
		key, err := readKey(file)
		switch {
		case err == nil:
			keys = append(keys, key)
		case !errors.Is(err, fs.ErrNotExist):
			unused = errors.Join(unused, err)
		}
	}
	return keys, unused
}

// agent connects to the SSH agent. With an error it has no keys.
func (s SSH) agent(ctx context.Context) (held func() ([]ssh.Signer, error), close func(), err error) {
	none := func() ([]ssh.Signer, error) { return nil, nil }
	if s.AgentSocket == "" {
		return none, func() {}, errors.New("there is neither an SSH agent nor a key file")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", s.AgentSocket)
	if err != nil {
		return none, func() {}, fmt.Errorf("SSH agent: %w", err)
	}
	return agent.NewClient(conn).Signers, func() { conn.Close() }, nil
}

// readKey reads a private key and, as OpenSSH does, refuses one that others may read.
func readKey(file string) (ssh.Signer, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("SSH key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("SSH key %q may be read by others (mode %04o) and is not used", file, info.Mode().Perm())
	}
	data, err := os.ReadFile(file) // #nosec G304 -- the user names it
	if err != nil {
		return nil, fmt.Errorf("SSH key: %w", err)
	}
	key, err := ssh.ParsePrivateKey(data)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("SSH key %q has a passphrase: add it to an agent", file)
	case err != nil:
		return nil, fmt.Errorf("SSH key %q is not a private key", file)
	}
	return key, nil
}

// hosts returns the check of a host's key, and the kinds of keys that are known of it, so that the server does
// not show one of another kind. There is no connection to a host that is not known.
func (s SSH) hosts(addr string) (ssh.HostKeyCallback, []string, error) {
	var files []string
	for _, file := range s.KnownHosts {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("known hosts: %w", err)
		}
	}
	check, err := knownhosts.New(files...)
	if err != nil {
		return nil, nil, fmt.Errorf("known hosts: %w", err)
	}
	kinds := slices.DeleteFunc(check.HostKeyAlgorithms(addr), func(kind string) bool { return kind == ssh.KeyAlgoRSA }) // SHA-1
	if len(kinds) == 0 {
		return nil, nil, fmt.Errorf("the key of host %q is not known: add it to a known_hosts file (looked at %q)", addr, s.KnownHosts)
	}
	return explained(check.HostKeyCallback()), kinds, nil
}

// HostKeyError is the error for a host whose key differs from the known one.
type HostKeyError struct{ addr string }

func (e *HostKeyError) Error() string {
	return fmt.Sprintf("host %q shows another key than the one in known_hosts: it was changed, or another machine answers", e.addr)
}

func explained(check ssh.HostKeyCallback) ssh.HostKeyCallback {
	return func(addr string, remote net.Addr, key ssh.PublicKey) error {
		if check(addr, remote, key) != nil {
			return &HostKeyError{addr}
		}
		return nil
	}
}
