package testenv

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// SSHDPath is the path of OpenSSH's server, which is often not on the PATH, and must be called by its absolute path.
func SSHDPath() (string, error) {
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/sbin"} {
		if p, err := exec.LookPath(filepath.Join(dir, "sshd")); err == nil {
			return p, nil
		}
	}
	return exec.LookPath("sshd")
}

// acceptsSSH lets sshd check a configuration with a new key, which also shows whether the machine has what sshd needs. It
// caches the result.
var acceptsSSH = sync.OnceValue(func() error {
	sshd, err := SSHDPath()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "waybill-probe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	key := filepath.Join(dir, "key")
	if err := writeKey(key); err != nil {
		return err
	}
	return quiet(exec.Command(sshd, "-t", "-f", os.DevNull, "-h", key))
})

func writeKey(file string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
