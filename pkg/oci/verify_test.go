package oci_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// signed is the digest for which cosign 2.6.2 wrote the files of testdata/cosign.
const signed = "sha256:b39dacff3d79f023a274eb23c74a49babb1c0b96902397aeb931a6ce9425cc93"

const (
	simpleSigning = "application/vnd.dev.cosign.simplesigning.v1+json"
	bundleType    = "application/vnd.dev.sigstore.bundle.v0.3+json"
)

func read(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/cosign/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// classic is a signature as cosign lays it beside an artifact.
func classic(payload []byte, signature string, more ...string) *oci.Artifact {
	b := oci.Blob{MediaType: simpleSigning, Data: payload, Annotations: map[string]string{"dev.cosignproject.cosign/signature": signature}}
	for _, name := range more {
		b.Annotations[name] = "a certificate"
	}
	return &oci.Artifact{Layers: []oci.Blob{b}}
}

// bundle is a signature as cosign attaches it to an artifact.
func bundle(data []byte, digest string) *oci.Artifact {
	return &oci.Artifact{
		ArtifactType: bundleType, Layers: []oci.Blob{{MediaType: bundleType, Data: data}},
		Subject: &oci.Descriptor{MediaType: "application/vnd.oci.image.manifest.v1+json", Digest: digest, Size: 403},
	}
}

// TestVerify verifies what cosign signed, and refuses everything else.
func TestVerify(t *testing.T) {
	payload, signature, whole := read(t, "payload.json"), string(read(t, "payload.sig")), read(t, "bundle.json")
	ours, err := oci.ParseKey(read(t, "cosign.pub"))
	if err != nil {
		t.Fatal(err)
	}
	other, _ := newKey(t, ecdsaKey(t))
	changed := strings.Replace(string(payload), signed[7:15], "00000000", 1)
	for name, tc := range map[string]struct {
		reason string
		put    *oci.Artifact
		digest string
		key    *oci.Key
		want   string
	}{
		"classic":               {"beside the artifact", classic(payload, signature), signed, ours, ""},
		"bundle":                {"attached to the artifact", bundle(whole, signed), signed, ours, ""},
		"classic, other key":    {"", classic(payload, signature), signed, other, "none of 1 signature(s) was made by the key"},
		"bundle, other key":     {"", bundle(whole, signed), signed, other, "none of 1 signature(s) was made by the key"},
		"classic, moved":        {"the signature of another artifact", classic(payload, signature), "sha256:" + strings.Repeat("1", 64), ours, "none of 1 signature(s)"},
		"bundle, moved":         {"the signature of another artifact", bundle(whole, "sha256:"+strings.Repeat("1", 64)), "sha256:" + strings.Repeat("1", 64), ours, "none of 1 signature(s)"},
		"classic, changed":      {"the payload is not what was signed", classic([]byte(changed), signature), signed, ours, "none of 1 signature(s)"},
		"bundle, changed":       {"", bundle([]byte(strings.Replace(string(whole), `"payload":"ey`, `"payload":"fy`, 1)), signed), signed, ours, "none of 1 signature(s)"},
		"bundle, other content": {"what is attested is no signature", bundle([]byte(strings.Replace(string(whole), "in-toto", "in-total", 1)), signed), signed, ours, "none of 1 signature(s)"},
		"no signature":          {"", nil, signed, ours, "has no signature of cosign: sign it"},
		"certificate":           {"without a key", classic(payload, signature, "dev.sigstore.cosign/certificate"), signed, ours, "was signed without a key, which needs sigstore's services to verify: run 'cosign verify "},
		"bundle, certificate":   {"without a key", bundle([]byte(strings.Replace(string(whole), "publicKey", "certificate", 1)), signed), signed, ours, "was signed without a key"},
		"garbage":               {"", classic([]byte("{"), "AAAA"), signed, ours, "none of 1 signature(s)"},
		"garbage bundle":        {"", bundle([]byte("{"), signed), signed, ours, "has no signature of cosign"},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := ocitest.InMemory(t), client(t, oci.Options{})
			ref := reference(t, s.URL("bp/edge")).WithDigest(tc.digest)
			if tc.put != nil {
				at := ref.WithTag("")
				if tc.put.Subject == nil {
					at = ref.WithTag(strings.Replace(tc.digest, ":", "-", 1) + ".sig")
				}
				if _, err := c.Push(t.Context(), at, tc.put); err != nil {
					t.Fatal(err)
				}
			}
			err := c.Verify(t.Context(), ref, tc.key)
			if (err != nil) != (tc.want != "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}

func ecdsaKey(t *testing.T) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newKey(t *testing.T, private crypto.Signer) (*oci.Key, string) {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	key, err := oci.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key, string(text)
}

// TestKeys: keys of all kinds verify what they sign.
func TestKeys(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, private := range map[string]crypto.Signer{"ECDSA": ecdsaKey(t), "RSA": rsaKey, "Ed25519": edKey} {
		t.Run(name, func(t *testing.T) {
			payload := fmt.Appendf(nil, `{"critical": {"image": {"docker-manifest-digest": %q}, "type": "cosign container image signature"}}`, signed)
			sum, hash := sha256.Sum256(payload), crypto.SHA256
			message := sum[:]
			if name == "Ed25519" {
				message, hash = payload, 0
			}
			signature, err := private.Sign(rand.Reader, message, hash)
			if err != nil {
				t.Fatal(err)
			}
			s, c := ocitest.InMemory(t), client(t, oci.Options{})
			ref := reference(t, s.URL("bp/edge")).WithDigest(signed)
			if _, err := c.Push(t.Context(), ref.WithTag(strings.Replace(signed, ":", "-", 1)+".sig"), classic(payload, base64.StdEncoding.EncodeToString(signature))); err != nil {
				t.Fatal(err)
			}
			key, _ := newKey(t, private)
			if err := c.Verify(t.Context(), ref, key); err != nil {
				t.Error(err)
			}
			other, _ := newKey(t, ecdsaKey(t))
			if err := c.Verify(t.Context(), ref, other); err == nil {
				t.Error("another key verifies it, too")
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	small := &rsa.PublicKey{N: new(big.Int).SetBit(big.NewInt(1), 1023, 1), E: 65537}
	der, err := x509.MarshalPKIXPublicKey(small)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "not a public key in PEM (cosign.pub)",
		string(pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED SIGSTORE PRIVATE KEY"})):    "a private key: name the file of the public key",
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE"})):                       `a "CERTIFICATE" in PEM`,
		string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: []byte("junk")})): "not a public key: ",
		string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})):            "an RSA key of 1024 bits",
	} {
		if _, err := oci.ParseKey([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", text, want, err)
		}
	}
}

// statementIn is what a bundle signs.
func statementIn(bundle []byte) []byte {
	var b struct {
		Envelope struct{ Payload []byte } `json:"dsseEnvelope"`
	}
	_ = json.Unmarshal(bundle, &b)
	return b.Envelope.Payload
}

// FuzzVerify: no bundle and no payload is taken for a signature but the signed ones.
func FuzzVerify(f *testing.F) {
	payload, whole, signature := read(f, "payload.json"), read(f, "bundle.json"), read(f, "payload.sig")
	f.Add(payload)
	f.Add(whole)
	key, err := oci.ParseKey(read(f, "cosign.pub"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !oci.VerifiesForTest(key, data, string(signature), signed) {
			return
		}
		if !bytes.Equal(data, payload) && !bytes.Equal(statementIn(data), statementIn(whole)) {
			t.Errorf("%q was never signed", data)
		}
	})
}
