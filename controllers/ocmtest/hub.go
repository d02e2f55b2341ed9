package ocmtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	clusterv1beta1 "open-cluster-management.io/api/cluster/v1beta1"
	workv1 "open-cluster-management.io/api/work/v1"
	workv1alpha1 "open-cluster-management.io/api/work/v1alpha1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// stepTimeout is how long a step may take: far longer than it takes even on a busy machine.
const stepTimeout = 90 * time.Second

// Hub is an API server that accepts ManifestWorks, as far as its webhook allows. Several tests may call its methods at
// the same time.
type Hub struct {
	*clustertest.Cluster
	Client   client.Client // as the administrator
	programs string        // folder of OCM's programs
	webhook  *clustertest.Program
}

var (
	shared     = sync.OnceValues(newHub)
	installing sync.Mutex // held while definitions are created on the shared hub
)

// SharedHub is the hub of this test binary. What tests create there stays; each uses clusters or names of its own.
func SharedHub(t testing.TB) *Hub {
	t.Helper()
	testenv.Need(t, testenv.APIServer, testenv.OCM)
	h, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	installing.Lock()
	defer installing.Unlock()
	h.InstallCRDs(t, crds(t)) // only the first call changes anything
	return h
}

func newHub() (h *Hub, err error) {
	h = &Hub{}
	if h.programs, _, err = testenv.OCMPrograms.Dir(); err != nil {
		return nil, err
	}
	if h.Cluster, err = clustertest.New(); err != nil {
		return nil, err
	}
	if h.Client, err = newClient(h.Cluster); err != nil {
		return nil, err
	}
	return h, h.startWebhook()
}

// newClient is a client of a cluster's administrator, also for OCM's kinds.
func newClient(c *clustertest.Cluster) (client.Client, error) {
	s := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(s), workv1.Install(s), workv1alpha1.Install(s), clusterv1beta1.Install(s)); err != nil {
		return nil, err
	}
	return client.New(c.Admin(), client.Options{Scheme: s})
}

// crds is the folder of OCM's definitions of ManifestWork and AppliedManifestWork.
func crds(t testing.TB) string {
	t.Helper()
	return filepath.Join(clustertest.ModuleDir(t, "", "open-cluster-management.io/api"), "work", "v1")
}

// startWebhook starts the webhook and configures the API server to call it, as OCM does.
func (h *Hub) startWebhook() error {
	dir, err := h.Folder("webhook")
	if err != nil {
		return err
	}
	ca, err := h.Serving(dir)
	if err != nil {
		return err
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	if err := clustertest.WriteKubeconfig(kubeconfig, h.Admin()); err != nil {
		return err
	}
	address, err := clustertest.FreeAddress()
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(address)
	h.webhook, err = h.Run("webhook", "env", "KUBECONFIG="+kubeconfig, filepath.Join(h.programs, "work-webhook"),
		"--certdir="+dir, "--port="+port)
	if err != nil {
		return err
	}
	if err := h.awaitWebhook(address); err != nil {
		return err
	}
	return h.Client.Create(context.Background(), webhookConfiguration("https://"+address, ca))
}

// awaitWebhook waits until the webhook accepts connections.
func (h *Hub) awaitWebhook(address string) error {
	for began := time.Now(); time.Since(began) < stepTimeout && h.webhook.Running(); time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			return conn.Close()
		}
	}
	return fmt.Errorf("OCM's webhook does not listen: %s", h.webhook.Log())
}

// webhookConfiguration is that of OCM's operator, with the address of our webhook.
func webhookConfiguration(url string, ca []byte) *admissionv1.ValidatingWebhookConfiguration {
	const name = "manifestworkvalidators.admission.work.open-cluster-management.io"
	url += "/validate-work-open-cluster-management-io-v1-manifestwork"
	fail, none := admissionv1.Fail, admissionv1.SideEffectClassNone
	return &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: name, FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionv1.WebhookClientConfig{URL: &url, CABundle: ca},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
				Rule:       admissionv1.Rule{APIGroups: []string{workv1.GroupName}, APIVersions: []string{"*"}, Resources: []string{"manifestworks"}},
			}},
		}},
	}
}

// writeKubeconfigs writes the configurations of hub and cluster into the folder.
func writeKubeconfigs(folder string, hub, cluster *clustertest.Cluster) (hubFile, clusterFile string, err error) {
	hubFile, clusterFile = filepath.Join(folder, "hub"), filepath.Join(folder, "cluster")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", "", err
	}
	if err := clustertest.WriteKubeconfig(hubFile, hub.Admin()); err != nil {
		return "", "", err
	}
	return hubFile, clusterFile, clustertest.WriteKubeconfig(clusterFile, cluster.Admin())
}
