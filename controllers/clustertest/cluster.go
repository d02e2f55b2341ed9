package clustertest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// Cluster is an API server and its etcd. Several tests may call its methods at the same time, if they tolerate that
// servers stop.
type Cluster struct {
	programs string // folder of the programs
	dir      string // folder of everything else
	remover  *childProcess
	port     port
	admin    *rest.Config
	client   client.Client // as the administrator
	ca       []byte

	faults          sync.Mutex // held while servers stop and start
	etcd, apiserver *childProcess
	others          []*childProcess // programs of tests
	namespaces      atomic.Int64
}

var shared = sync.OnceValues(New)

// Shared is the cluster of this test binary, with both servers running: a test that stops one need not start it again. What
// tests create there stays; each takes a Namespace of its own. A test that stops servers must not run in parallel with others
// that use Shared; it can use Start.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	testenv.Need(t, testenv.APIServer)
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	c.StartEtcd(t)
	c.StartAPIServer(t)
	return c
}

// Start is a new cluster for this test alone.
func Start(t testing.TB) *Cluster {
	t.Helper()
	testenv.Need(t, testenv.APIServer)
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

// New starts a cluster that lasts as long as this process, or leaves nothing behind. The caller has asked testenv.Need for
// the programs.
func New() (c *Cluster, err error) {
	c = &Cluster{}
	defer func() {
		if err != nil {
			c.close()
			c, err = nil, fmt.Errorf("start a cluster: %w", err)
		}
	}()
	if c.programs, _, err = testenv.APIServerPrograms.Dir(); err != nil {
		return c, err
	}
	if err = c.makeFolder(); err != nil {
		return c, err
	}
	if c.port, err = reservePort(); err != nil {
		return c, err
	}
	if err = c.makeKeys(); err != nil {
		return c, err
	}
	if err = c.startEtcd(); err != nil {
		return c, err
	}
	return c, c.startAPIServer()
}

// makeFolder makes a folder with a short name, as paths of sockets must be short.
func (c *Cluster) makeFolder() (err error) {
	if c.dir, err = os.MkdirTemp("", "waybill-cluster-"); err != nil {
		return err
	}
	c.remover, err = startChild(removeScript, "", c.dir)
	return err
}

// makeKeys makes the authority and its certificates.
func (c *Cluster) makeKeys() error {
	ca, err := newAuthority()
	if err != nil {
		return err
	}
	server, err := ca.server()
	if err != nil {
		return err
	}
	admin, err := ca.user("admin", "system:masters")
	if err != nil {
		return err
	}
	proxy, err := ca.user("front-proxy")
	if err != nil {
		return err
	}
	_, accounts, err := newKey()
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"ca.crt": ca.cert, "server.crt": server.cert, "server.key": server.key,
		"accounts.key": accounts, "proxy.crt": proxy.cert, "proxy.key": proxy.key} {
		if err := os.WriteFile(c.path(name), content, 0o600); err != nil {
			return err
		}
	}
	return c.connect(ca.cert, admin)
}

// path is a file in the cluster's folder.
func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

// close ends all programs and removes the folder, as the end of the process would.
func (c *Cluster) close() {
	c.faults.Lock()
	defer c.faults.Unlock()
	for _, k := range append(c.others, c.apiserver, c.etcd, c.remover) {
		if k != nil {
			k.end()
		}
	}
	if c.port.number != 0 {
		c.port.release()
	}
}
