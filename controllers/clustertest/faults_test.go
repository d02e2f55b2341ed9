package clustertest

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestFaults stops servers, one or both, and wants all data back.
func TestFaults(t *testing.T) {
	cases := map[string]struct {
		reason      string
		stop, start []func(*Cluster, testing.TB)
	}{
		"API server":     {"clients lose it, etcd does not", does((*Cluster).StopAPIServer), does((*Cluster).StartAPIServer)},
		"etcd":           {"the API server outlives etcd and finds it again", does((*Cluster).StopEtcd), does((*Cluster).StartEtcd)},
		"both":           {"a machine that restarts", does((*Cluster).StopAPIServer, (*Cluster).StopEtcd), does((*Cluster).StartEtcd, (*Cluster).StartAPIServer)},
		"twice":          {"to stop what is stopped, and start what runs, is no fault", does((*Cluster).StopEtcd, (*Cluster).StopEtcd), does((*Cluster).StartEtcd, (*Cluster).StartEtcd, (*Cluster).StartAPIServer)},
		"the next comer": {"a test need not start what it stopped", does((*Cluster).StopAPIServer, (*Cluster).StopEtcd), does(func(_ *Cluster, t testing.TB) { Shared(t) })},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := Shared(t)
			before := create(t, c, c.Namespace(t))
			for _, stop := range tc.stop {
				stop(c, t)
			}
			if tryCreate(t, c, object(before.Namespace, "lost")) == nil {
				t.Errorf("%s: what has stopped must not take requests", tc.reason)
			}
			for _, start := range tc.start {
				start(c, t)
			}
			after := &corev1.ConfigMap{}
			if err := c.client.Get(t.Context(), client.ObjectKeyFromObject(before), after); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("%s (-before +after):\n%s", tc.reason, diff)
			}
			create(t, c, c.Namespace(t)) // and it writes, too
		})
	}
}

func does(steps ...func(*Cluster, testing.TB)) []func(*Cluster, testing.TB) { return steps }

func object(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: map[string]string{"key": "value"}}
}

// tryCreate does not wait as long as an API server does for its etcd.
func tryCreate(t *testing.T, c *Cluster, o *corev1.ConfigMap) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	return c.client.Create(ctx, o)
}

func create(t *testing.T, c *Cluster, namespace string) *corev1.ConfigMap {
	t.Helper()
	o := object(namespace, "kept")
	if err := c.client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPortStaysReserved checks that no other process can take the address while no server answers there.
func TestPortStaysReserved(t *testing.T) {
	c := Shared(t)
	c.StopAPIServer(t)
	address := strings.TrimPrefix(c.Admin().Host, "https://")
	if l, err := net.Listen("tcp", address); err == nil {
		l.Close()
		t.Error("another process could take the port")
	}
	if conn, err := net.Dial("tcp", address); err == nil || !strings.Contains(err.Error(), "refused") {
		if err == nil {
			conn.Close()
		}
		t.Errorf("want the connection refused, got %v", err)
	}
}

// TestWatchExpires shows how a test brings about "410 Gone": a restart, and a change before it.
func TestWatchExpires(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t)
	seen := create(t, c, namespace).ResourceVersion
	if err := c.client.Create(t.Context(), object(namespace, "missed")); err != nil {
		t.Fatal(err)
	}
	watcher, err := client.NewWithWatch(c.Admin(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := firstEvent(t, watcher, namespace, seen); got != "ADDED missed" {
		t.Errorf("a watch goes on from what was seen: got %s", got)
	}
	c.StopAPIServer(t)
	c.StartAPIServer(t)
	if got := firstEvent(t, watcher, namespace, seen); got != "Expired" {
		t.Errorf("a new server does not know what was before it: got %s", got)
	}
}

func firstEvent(t *testing.T, watcher client.WithWatch, namespace, since string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	w, err := watcher.Watch(ctx, &corev1.ConfigMapList{}, client.InNamespace(namespace),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: since}})
	if err != nil {
		return string(apierrors.ReasonForError(err))
	}
	defer w.Stop()
	event := <-w.ResultChan()
	switch o := event.Object.(type) {
	case *corev1.ConfigMap:
		return string(event.Type) + " " + o.Name
	case nil:
		return "nothing"
	default:
		return string(apierrors.ReasonForError(apierrors.FromObject(o)))
	}
}
