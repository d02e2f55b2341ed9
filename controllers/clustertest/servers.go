package clustertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
)

// startTimeout is how long a server may take to be ready: far longer than it takes even on a busy machine.
const startTimeout = 90 * time.Second

// etcdSocket is a file in the cluster's folder, where the servers run: a name as etcd requires it, with a port.
const etcdSocket = "clients:0"

// startEtcd starts etcd on sockets in our folder, which other users cannot access. It does not sync to disk: its data
// survives its own end, but not that of the machine.
func (c *Cluster) startEtcd() (err error) {
	const clients, peers = "unix://" + etcdSocket, "unix://peers:0"
	c.etcd, err = c.run("etcd",
		"--data-dir="+c.path("data"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+clients, "--advertise-client-urls="+clients,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers)
	if err != nil {
		return err
	}
	overSocket := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", c.path(etcdSocket))
	}}
	return c.await("etcd", c.etcd, &http.Client{Transport: overSocket}, "http://etcd/health")
}

// startAPIServer starts the API server, with authentication and authorization as in clusters.
func (c *Cluster) startAPIServer() (err error) {
	c.apiserver, err = c.run("kube-apiserver",
		"--etcd-servers=unix://"+etcdSocket,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.port.number), "--permit-port-sharing",
		"--cert-dir="+c.path("certs"), "--tls-cert-file="+c.path("server.crt"), "--tls-private-key-file="+c.path("server.key"),
		"--client-ca-file="+c.path("ca.crt"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+c.path("accounts.key"),
		"--service-account-signing-key-file="+c.path("accounts.key"),
		"--requestheader-client-ca-file="+c.path("ca.crt"), "--requestheader-allowed-names=front-proxy",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file="+c.path("proxy.crt"), "--proxy-client-key-file="+c.path("proxy.key"),
		"--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none")
	if err != nil {
		return err
	}
	return c.awaitAPIServer()
}

// run runs a program in the cluster's folder. Less garbage collection saves a third of the start.
func (c *Cluster) run(name string, args ...string) (*childProcess, error) {
	return startChild(runScript, c.path(name+".log"), append([]string{"env", "GOGC=400", filepath.Join(c.programs, name)}, args...)...)
}

// awaitAPIServer waits until the server serves everything, RBAC's own roles included.
func (c *Cluster) awaitAPIServer() error {
	asAdmin, err := rest.HTTPClientFor(c.admin)
	if err != nil {
		return err
	}
	return c.await("kube-apiserver", c.apiserver, asAdmin, c.admin.Host+"/readyz")
}

// await sends requests until the status is 200. It gives up when the server has ended.
func (c *Cluster) await(name string, server *childProcess, asker *http.Client, url string) error {
	defer asker.CloseIdleConnections()
	last := errors.New("no answer")
	for began := time.Now(); time.Since(began) < startTimeout; time.Sleep(20 * time.Millisecond) {
		if !server.running() {
			return fmt.Errorf("%s ended before it was ready: %s", name, c.tail(name))
		}
		if last = ask(asker, url); last == nil {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready after %s: %w: %s", name, startTimeout, last, c.tail(name))
}

func ask(asker *http.Client, url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := asker.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<16))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(string(text)))
	}
	return err
}

// tail is the end of the output of a server.
func (c *Cluster) tail(name string) string { return (&Program{log: c.path(name + ".log")}).Log() }
