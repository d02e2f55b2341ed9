package ocmtest

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	workv1 "open-cluster-management.io/api/work/v1"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

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
