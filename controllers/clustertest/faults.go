package clustertest

import "testing"

// StopEtcd kills etcd, as a crash would; its data stays. The API server continues, and answers what it can without etcd. It
// does nothing when etcd is stopped already.
func (c *Cluster) StopEtcd(t testing.TB) {
	t.Helper()
	c.change(t, c.stopper(&c.etcd))
}

// StartEtcd starts etcd again, with its data, and waits until it and a running API server are ready. It does nothing when
// etcd runs.
func (c *Cluster) StartEtcd(t testing.TB) {
	t.Helper()
	c.change(t, func() error {
		if c.etcd.running() {
			return nil
		}
		if err := c.startEtcd(); err != nil || !c.apiserver.running() {
			return err
		}
		return c.awaitAPIServer()
	})
}

// StopAPIServer kills the API server, as a crash would: requests and watches break, and new connections are refused. Its port
// stays reserved. It does nothing when the API server is stopped already.
func (c *Cluster) StopAPIServer(t testing.TB) {
	t.Helper()
	c.change(t, c.stopper(&c.apiserver))
}

// StartAPIServer starts the API server again, at the same address, and waits until it is ready, for which etcd must run. It
// does not know old resource versions: a watch from one gets "410 Gone" if something has changed since. It does nothing when
// the API server runs.
func (c *Cluster) StartAPIServer(t testing.TB) {
	t.Helper()
	c.change(t, func() error {
		if c.apiserver.running() {
			return nil
		}
		return c.startAPIServer()
	})
}

func (c *Cluster) stopper(server **childProcess) func() error {
	return func() error {
		if (*server).running() {
			(*server).end()
		}
		return nil
	}
}

// change changes the servers, one change at a time.
func (c *Cluster) change(t testing.TB, do func() error) {
	t.Helper()
	c.faults.Lock()
	defer c.faults.Unlock()
	if err := do(); err != nil {
		t.Fatal(err)
	}
}
