package sharedcache

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// keyFiles writes a key pair and returns the names of its files.
func keyFiles(t *testing.T) (private, public string) {
	pub, priv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return writeKey(t, priv), writeKey(t, pub)
}

func writeKey(t *testing.T, key any) string {
	kind, form := "PUBLIC KEY", x509.MarshalPKIXPublicKey
	switch key.(type) {
	case ed25519.PrivateKey, *ecdsa.PrivateKey:
		kind, form = "PRIVATE KEY", x509.MarshalPKCS8PrivateKey
	}
	data, err := form(key)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
}

func writeFile(t *testing.T, data []byte) string {
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSigned has writers and readers with different keys use one store.
func TestSigned(t *testing.T) {
	private, public := keyFiles(t)
	_, stranger := keyFiles(t)
	for name, c := range map[string]struct{ writer, reader, says string }{
		"signed":                        {private, public, ""},
		"the writer reads":              {private, private, ""},
		"a reader that asks for no key": {private, "", ""},
		"not signed":                    {"", public, "is not signed, and --cache-key asks for a signature; it is not used"},
		"signed by another":             {private, stranger, "is signed by another key than that of --cache-key; it is not used"},
	} {
		t.Run(name, func(t *testing.T) {
			_, url := startPlain(t)
			writer, _ := open(t, url, Options{Write: true, KeyFile: c.writer})
			writer.Put(Key{1}, []byte("data"))
			writer.Put(Key{2}, []byte("data"))
			writer.Close()
			reader, said := open(t, url, Options{KeyFile: c.reader})
			got := reader.Get(Key{1})
			reader.Get(Key{2})
			if (string(got) == "data") != (c.says == "") || !strings.HasSuffix(said.String(), c.says) || strings.Contains(said.String(), "\n") {
				t.Errorf("got %q, and it says %q", got, said)
			}
		})
	}
}

// TestKeyFiles has files that are no keys, or not the right ones. No error repeats what is in them.
func TestKeyFiles(t *testing.T) {
	private, public := keyFiles(t)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	readable := writeFile(t, must(os.ReadFile(private)))
	if err := os.Chmod(readable, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file  string
		write bool
		says  string
	}{
		"absent":        {"/nowhere", false, "no such file"},
		"no PEM":        {writeFile(t, []byte("s3cret")), false, "want an Ed25519 key in PEM form"},
		"other PEM":     {writeFile(t, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("s3cret")})), false, "want an Ed25519 key"},
		"broken":        {writeFile(t, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("s3cret")})), false, "want an Ed25519 key"},
		"another curve": {writeKey(t, curve), false, "want an Ed25519 key"},
		"for everybody": {readable, true, "every user of this machine may use the private key (mode 0644): chmod 600"},
		"public":        {public, true, "it is public, and to write entries takes the private key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), "https://cache.example.com", Options{KeyFile: c.file, Write: c.write, Getenv: environment(nil)})
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// FuzzEntry changes entries of a store whose readers have a key: what is accepted was signed, byte for byte.
func FuzzEntry(f *testing.F) {
	public, private, err := ed25519.GenerateKey(bytes.NewReader(make([]byte, 64)))
	if err != nil {
		f.Fatal(err)
	}
	holder, k := signing{private: private, public: public}, Key{1}
	good := holder.seal(k, []byte("data"))
	f.Add(good)
	f.Add(signing{}.seal(k, []byte("data")))
	f.Add(sealed(k, []byte("no zstd")))
	f.Fuzz(func(t *testing.T, entry []byte) {
		if data, err := holder.open(k, entry); err == nil && !bytes.Equal(entry, good) {
			t.Errorf("an entry that nobody signed gave %q", data)
		}
		if _, err := holder.open(Key{2}, entry); err == nil {
			t.Error("an entry is accepted under another key")
		}
		data, err := signing{}.open(k, entry)
		if err == nil && len(data) > maxData {
			t.Errorf("%d bytes", len(data))
		}
	})
}
