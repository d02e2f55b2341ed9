package oci

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Key is a public key of cosign.
type Key struct {
	public crypto.PublicKey
}

// minRSA is the smallest RSA key that is accepted, in bits.
const minRSA = 2048

// ParseKey parses a public key in PEM, as "cosign generate-key-pair" writes it: ECDSA, RSA or Ed25519.
func ParseKey(data []byte) (*Key, error) {
	block, _ := pem.Decode(data)
	switch {
	case block == nil:
		return nil, errors.New("not a public key in PEM (cosign.pub)")
	case strings.Contains(block.Type, "PRIVATE KEY"):
		return nil, errors.New("a private key: name the file of the public key (cosign.pub)")
	case block.Type != "PUBLIC KEY":
		return nil, fmt.Errorf("a %q in PEM, and not a PUBLIC KEY (cosign.pub)", block.Type)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("not a public key: %w", err)
	}
	switch k := public.(type) {
	case *ecdsa.PublicKey, ed25519.PublicKey:
	case *rsa.PublicKey:
		if k.N.BitLen() < minRSA {
			return nil, fmt.Errorf("an RSA key of %d bits: want at least %d", k.N.BitLen(), minRSA)
		}
	default:
		return nil, fmt.Errorf("a key of type %T: want ECDSA, RSA or Ed25519", public)
	}
	return &Key{public}, nil
}

// signed reports whether the key signed the message.
func (k *Key) signed(message, signature []byte) bool {
	sum256 := sha256.Sum256(message)
	switch public := k.public.(type) {
	case *ecdsa.PublicKey:
		if ecdsa.VerifyASN1(public, sum256[:], signature) {
			return true
		}
		switch public.Params().BitSize { // sigstore's bundles have the hash of the curve
		case 384:
			sum := sha512.Sum384(message)
			return ecdsa.VerifyASN1(public, sum[:], signature)
		case 521:
			sum := sha512.Sum512(message)
			return ecdsa.VerifyASN1(public, sum[:], signature)
		}
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(public, crypto.SHA256, sum256[:], signature) == nil
	case ed25519.PublicKey:
		return ed25519.Verify(public, message, signature)
	}
	return false
}
