package clustertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// connect creates the administrator's client.
func (c *Cluster) connect(ca []byte, admin certified) (err error) {
	c.ca = ca
	c.admin = c.anonymous()
	c.admin.CertData, c.admin.KeyData = admin.cert, admin.key
	c.admin.QPS = -1 // a test does not wait for its own client
	c.client, err = client.New(c.admin, client.Options{})
	return err
}

func (c *Cluster) anonymous() *rest.Config {
	return &rest.Config{Host: fmt.Sprintf("https://127.0.0.1:%d", c.port.number), TLSClientConfig: rest.TLSClientConfig{CAData: c.ca}}
}

// Admin is the configuration of an administrator, who may do everything, without a rate limit.
func (c *Cluster) Admin() *rest.Config { return rest.CopyConfig(c.admin) }

// ServiceAccount is the configuration of a ServiceAccount, which is created unless it exists. It may do what RBAC allows:
// hardly anything, until a test or a manifest binds roles. The token is valid for an hour.
func (c *Cluster) ServiceAccount(t testing.TB, namespace, name string) *rest.Config {
	t.Helper()
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := client.IgnoreAlreadyExists(c.client.Create(t.Context(), account)); err != nil {
		t.Fatalf("create ServiceAccount %s/%s: %v", namespace, name, err)
	}
	token := &authenticationv1.TokenRequest{}
	if err := c.client.SubResource("token").Create(t.Context(), account, token); err != nil {
		t.Fatalf("get a token for ServiceAccount %s/%s: %v", namespace, name, err)
	}
	as := c.anonymous()
	as.BearerToken = token.Status.Token
	return as
}

// Namespace creates a namespace that no other test has.
func (c *Cluster) Namespace(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test-%d", c.namespaces.Add(1))
	if err := c.client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		t.Fatalf("create namespace %q: %v", name, err)
	}
	return name
}

// Kubeconfig is a file, readable for this user alone and removed after the test, with which programs access the API server as
// a user: Admin or a ServiceAccount.
func (c *Cluster) Kubeconfig(t testing.TB, who *rest.Config) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := WriteKubeconfig(file, who); err != nil {
		t.Fatal(err)
	}
	return file
}

// WriteKubeconfig writes a file, readable for this user alone, with which programs access an API server as a user.
func WriteKubeconfig(file string, who *rest.Config) error {
	return clientcmd.WriteToFile(api.Config{
		Clusters: map[string]*api.Cluster{"test": {Server: who.Host, CertificateAuthorityData: who.CAData}},
		AuthInfos: map[string]*api.AuthInfo{"test": {ClientCertificateData: who.CertData, ClientKeyData: who.KeyData,
			Token: who.BearerToken}},
		Contexts:       map[string]*api.Context{"test": {Cluster: "test", AuthInfo: "test"}},
		CurrentContext: "test",
	}, file)
}

// Kubectl runs kubectl as a user, with input on its stdin. The result is its stdout; the error has its stderr, if its exit
// status is not 0.
func (c *Cluster) Kubectl(t testing.TB, who *rest.Config, input string, args ...string) (string, error) {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(filepath.Join(c.programs, "kubectl"), args...) // #nosec G204 -- a test's own arguments
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(t, who), "HOME="+home, "KUBECACHEDIR="+home, "KUBERC=off")
	cmd.Stdin = bytes.NewBufferString(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("kubectl %q: %w: %s", args, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.String(), nil
}

// ModuleDir is the folder of a Go module that the module in folder "in" requires; "" is that of the test.
func ModuleDir(t testing.TB, in, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir = in
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("find the module %s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

// InstallCRDs creates or updates the CustomResourceDefinitions in the files of a folder, and waits until their kinds are
// served.
func (c *Cluster) InstallCRDs(t testing.TB, folder string) {
	t.Helper()
	_, err := envtest.InstallCRDs(c.admin, envtest.CRDInstallOptions{
		Paths: []string{folder}, ErrorIfPathMissing: true, MaxTime: startTimeout, PollInterval: 20 * time.Millisecond})
	if err != nil {
		t.Fatalf("install the CustomResourceDefinitions of %q: %v", folder, err)
	}
}
