package publishedresource

import (
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
)

// TestRejectedWorkspaces tries workspaces again that could not be used: the file with the certificate of one is half written at
// first, and the kubeconfig that names it does not change any more.
func TestRejectedWorkspaces(t *testing.T) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	file := filepath.Join(t.TempDir(), "ca.crt")
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := newMetrics(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	next := []Workspace{{Name: "a", Config: &rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{CAFile: file}}}}
	c := &controller{metrics: counts, options: Options{Changed: func() (now []Workspace, err error) { now, next = next, nil; return now, nil }}}
	write(certificate[:len(certificate)/2])
	for range 2 {
		if servers, err := c.changed(); err == nil || servers != nil {
			t.Fatalf("half a certificate: got %d servers, %v", len(servers), err)
		}
	}
	write(certificate)
	if servers, err := c.changed(); err != nil || len(servers) != 1 {
		t.Errorf("the whole certificate: got %d servers, %v", len(servers), err)
	}
	if servers, err := c.changed(); err != nil || servers != nil {
		t.Errorf("nothing changed: got %d servers, %v", len(servers), err)
	}
}
