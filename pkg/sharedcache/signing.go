package sharedcache

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
)

// signing holds the keys; none: entries are not signed, and no signature is asked for.
type signing struct {
	private ed25519.PrivateKey // nil: can only verify
	public  ed25519.PublicKey
}

const maxKeyFile = 64 << 10

// readSigning reads a private or public Ed25519 key in PEM form. Errors do not repeat what is in the file.
func readSigning(path string) (s signing, err error) {
	file, err := os.Open(path) // #nosec G304 -- the user names it
	if err != nil {
		return s, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return s, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return s, errKeyForm
	}
	switch block.Type {
	case "PRIVATE KEY":
		info, err := file.Stat()
		if err != nil {
			return s, err
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 { // Windows has no such bits
			return s, fmt.Errorf("every user of this machine may use the private key (mode %04o): chmod 600", info.Mode().Perm())
		}
		key, _ := x509.ParsePKCS8PrivateKey(block.Bytes)
		if s.private, _ = key.(ed25519.PrivateKey); s.private != nil {
			s.public = s.private.Public().(ed25519.PublicKey)
		}
	case "PUBLIC KEY":
		key, _ := x509.ParsePKIXPublicKey(block.Bytes)
		s.public, _ = key.(ed25519.PublicKey)
	}
	if s.public == nil {
		return s, errKeyForm
	}
	return s, nil
}

var errKeyForm = errors.New("want an Ed25519 key in PEM form, private or public, as 'openssl genpkey -algorithm ed25519' and " +
	"'openssl pkey -pubout' write them")
