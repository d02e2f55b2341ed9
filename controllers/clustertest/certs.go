package clustertest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// certified is a key and a certificate for it, both in PEM.
type certified struct{ cert, key []byte }

// authority signs the certificates of one cluster. Its key is never written anywhere.
type authority struct {
	certified
	parsed *x509.Certificate
	signer *ecdsa.PrivateKey
	issued int64
}

func newAuthority() (*authority, error) {
	a := &authority{}
	self := &x509.Certificate{Subject: pkix.Name{CommonName: "clustertest"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	var err error
	if a.certified, a.signer, err = a.issue(self); err != nil {
		return nil, err
	}
	block, _ := pem.Decode(a.cert)
	a.parsed, err = x509.ParseCertificate(block.Bytes)
	return a, err
}

// server makes a certificate for a server at the loopback address.
func (a *authority) server() (certified, error) {
	c, _, err := a.issue(&x509.Certificate{Subject: pkix.Name{CommonName: "kube-apiserver"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
	return c, err
}

// user makes a certificate for a user with groups.
func (a *authority) user(name string, groups ...string) (certified, error) {
	c, _, err := a.issue(&x509.Certificate{Subject: pkix.Name{CommonName: name, Organization: groups},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return c, err
}

// issue completes and signs a certificate; the first one signs itself. It is valid for a day.
func (a *authority) issue(cert *x509.Certificate) (certified, *ecdsa.PrivateKey, error) {
	key, keyPEM, err := newKey()
	if err != nil {
		return certified{}, nil, err
	}
	a.issued++
	cert.SerialNumber = big.NewInt(a.issued)
	cert.NotBefore = time.Now().Add(-time.Minute)
	cert.NotAfter = cert.NotBefore.Add(24 * time.Hour)
	parent, signer := a.parsed, a.signer
	if parent == nil {
		parent, signer = cert, key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, &key.PublicKey, signer)
	if err != nil {
		return certified{}, nil, fmt.Errorf("certify %q: %w", cert.Subject.CommonName, err)
	}
	return certified{cert: inPEM("CERTIFICATE", der), key: keyPEM}, key, nil
}

func newKey() (*ecdsa.PrivateKey, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return key, inPEM("EC PRIVATE KEY", der), nil
}

func inPEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
