package ocmtest

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// Member is a managed cluster: an API server, and OCM's work agent that applies the works of one namespace of the hub.
type Member struct {
	*clustertest.Cluster
	Name   string        // also of its namespace on the hub
	Client client.Client // as the administrator
	hub    *Hub
	agent  *clustertest.Program
}

var sharedMember struct {
	starting sync.Mutex
	member   *Member
}

// SharedMember is a cluster of this test binary, of the shared hub. What tests create there stays.
func SharedMember(t testing.TB) *Member {
	t.Helper()
	h := SharedHub(t)
	sharedMember.starting.Lock()
	defer sharedMember.starting.Unlock()
	if sharedMember.member == nil {
		c, err := clustertest.New()
		if err != nil {
			t.Fatal(err)
		}
		sharedMember.member = h.join(t, c, "shared")
	}
	return sharedMember.member
}

// Join starts a cluster that this test has for itself and that no other test may call by that name.
func (h *Hub) Join(t testing.TB, name string) *Member {
	t.Helper()
	return h.join(t, clustertest.Start(t), name)
}

func (h *Hub) join(t testing.TB, c *clustertest.Cluster, name string) *Member {
	t.Helper()
	m := &Member{Cluster: c, Name: name, hub: h}
	m.InstallCRDs(t, crds(t))
	var err error
	if m.Client, err = newClient(c); err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := client.IgnoreAlreadyExists(h.Client.Create(t.Context(), namespace)); err != nil {
		t.Fatalf("create the namespace of cluster %q on the hub: %v", name, err)
	}
	m.Online(t)
	return m
}

// Online starts the cluster's agent; nothing happens when it runs.
func (m *Member) Online(t testing.TB) {
	t.Helper()
	if m.agent != nil && m.agent.Running() {
		return
	}
	folder, err := m.Folder("agent")
	if err != nil {
		t.Fatal(err)
	}
	hub, cluster, err := writeKubeconfigs(folder, m.hub.Cluster, m.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	m.agent, err = m.Run("agent", filepath.Join(m.hub.programs, "work-agent"), "--workload-source-config="+hub,
		"--spoke-kubeconfig="+cluster, "--spoke-cluster-name="+m.Name, "--agent-id="+m.Name, "--status-sync-interval=1s",
		"--kube-api-qps=1000", "--kube-api-burst=1000", "--hub-kube-api-qps=1000", "--hub-kube-api-burst=1000")
	if err != nil {
		t.Fatal(err)
	}
}

// Offline kills the cluster's agent: for the hub the cluster is away, until Online.
func (m *Member) Offline() { m.agent.Stop() }

// Get is an object as it is on the cluster, nil if it is not there.
func (m *Member) Get(t testing.TB, apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	err := m.Client.Get(t.Context(), types.NamespacedName{Namespace: namespace, Name: name}, o)
	switch {
	case client.IgnoreNotFound(err) != nil:
		t.Fatalf("get %s %s/%s of cluster %q: %v", kind, namespace, name, m.Name, err)
	case err != nil:
		return nil
	}
	return o
}

// Owners are the works that own an object, by name: those whose agents would delete it.
func Owners(o *unstructured.Unstructured) (works []string) {
	for _, owner := range o.GetOwnerReferences() {
		if _, work, ok := strings.Cut(owner.Name, "-"); ok && owner.Kind == "AppliedManifestWork" { // <hash of the hub>-<work>
			works = append(works, work)
		}
	}
	return works
}
