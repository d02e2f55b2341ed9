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

// SSHDPath is where OpenSSH's server is: it lies where users' programs seldom do, and wants to be
// called by its whole path.
func SSHDPath() (string, error) {
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/sbin"} {
		if p, err := exec.LookPath(filepath.Join(dir, "sshd")); err == nil {
			return p, nil
		}
	}
	return exec.LookPath("sshd")
}

// acceptsSSH has sshd check a configuration with a key made for it: that tells, too, whether what it
// needs of the machine is there. It tries once and remembers.
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
