package publishedresource_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// kubeconfigOf is the text of a kubeconfig with these clusters as contexts.
func kubeconfigOf(t testing.TB, clusters map[string]*cluster) string {
	t.Helper()
	config := api.NewConfig()
	for name, p := range clusters {
		admin := p.Admin()
		config.Clusters[name] = &api.Cluster{Server: admin.Host, CertificateAuthorityData: admin.CAData}
		config.AuthInfos[name] = &api.AuthInfo{ClientCertificateData: admin.CertData, ClientKeyData: admin.KeyData}
		config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	}
	text, err := clientcmd.Write(*config)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write replaces a file at once, as Kubernetes does with mounted Secrets.
func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// TestWorkspacesChange adds a workspace to the kubeconfig of a controller that runs, breaks the file, and removes the other
// workspace.
func TestWorkspacesChange(t *testing.T) {
	f := newFixture(t)
	other, _ := f.startOther()
	kubeconfig := &publishedresource.Kubeconfig{File: filepath.Join(t.TempDir(), "kubeconfig")}
	write(t, kubeconfig.File, kubeconfigOf(t, map[string]*cluster{f.workspace: f.shop}))
	first, err := kubeconfig.Changed()
	f.Must(err)
	f.home.Put(orders)
	f.putOrder("o", "{of: one}")
	other.putOrder("o", "{of: other}")
	f.start(func(o *publishedresource.Options) {
		o.Workspaces, o.Changed, o.ReloadInterval = first, kubeconfig.Changed, 20*time.Millisecond
	})
	f.awaitCopy("the first workspace", "o", "{of: one}")
	write(t, kubeconfig.File, kubeconfigOf(t, map[string]*cluster{f.workspace: f.shop, other.workspace: other.shop}))
	other.awaitCopy("a workspace that was added", "o", "{of: other}")
	for _, broken := range []string{"{", "{apiVersion: v1, kind: Config}", strings.ReplaceAll(kubeconfigOf(t, map[string]*cluster{"ws": f.shop}), "ws", "Not_A_Label")} {
		write(t, kubeconfig.File, broken)
		before := strings.Count(f.log.String(), "goes on with the former ones")
		f.eventually("a file that cannot be used is reported", func() string {
			if strings.Count(f.log.String(), "goes on with the former ones") == before {
				return "it is not"
			}
			return ""
		})
		f.putOrder("o", "{of: one, though: "+time.Now().Format("'150405.000'")+"}")
	}
	f.putOrder("o", "{of: one, more: x}")
	f.awaitCopy("the former workspaces are reconciled meanwhile", "o", "{of: one, more: x}")
	write(t, kubeconfig.File, kubeconfigOf(t, map[string]*cluster{other.workspace: other.shop}))
	f.eventually("the controller starts anew", func() string {
		if strings.Count(f.log.String(), "starts anew") != 2 {
			return "it does not"
		}
		return ""
	})
	other.putOrder("o", "{of: other, more: y}")
	other.awaitCopy("the workspace that is left", "o", "{of: other, more: y}")
	f.putOrder("o", "{of: one, more: z}")
	time.Sleep(200 * time.Millisecond)
	f.awaitCopy("the copy of a workspace that was removed stays as it is", "o", "{of: one, more: x}")
	other.shop.Remove(remote, "Order", "o")
	other.awaitGone("o")
}

func TestKubeconfigChanged(t *testing.T) {
	k := &publishedresource.Kubeconfig{File: filepath.Join(t.TempDir(), "kubeconfig"), Contexts: []string{"a"}}
	names := func(reason, want, fault string) {
		t.Helper()
		all, err := k.Changed()
		var got []string
		for _, w := range all {
			got = append(got, w.Name)
		}
		if strings.Join(got, " ") != want || (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: got %q, %v", reason, got, err)
		}
	}
	names("there is no file", "", "no such file")
	write(t, k.File, kubeconfig)
	names("a file that it names is not there", "", "ca.crt")
	write(t, filepath.Join(filepath.Dir(k.File), "ca.crt"), "")
	names("it came", "a", "")
	names("nothing changed", "", "")
	write(t, k.File, strings.Replace(kubeconfig, "name: a,", "name: c,", 1))
	names("the context is not there any more", "", `context "a": there is none`)
	names("the error stays", "", `context "a": there is none`)
	write(t, k.File, kubeconfig)
	names("the former text again", "", "")
	write(t, k.File, strings.Replace(kubeconfig, "hush-4711", "hush-4712", 1))
	names("another token", "a", "")
}

// TestSelector reconciles only PublishedResources that have a label.
func TestSelector(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{size: small}")
	f.start(func(o *publishedresource.Options) { o.Selector = labels.SelectorFromSet(labels.Set{"team": "shop"}) })
	time.Sleep(300 * time.Millisecond)
	if f.copyOf("o") != nil {
		t.Fatal("a PublishedResource without the label is reconciled")
	}
	f.home.Edit(own, "PublishedResource", "orders", `{"metadata":{"labels":{"team":"shop"}}}`)
	f.awaitCopy("it gets the label", "o", "{size: small}")
	f.home.Edit(own, "PublishedResource", "orders", `{"metadata":{"labels":{"team":"other"}}}`)
	time.Sleep(300 * time.Millisecond)
	f.putOrder("o", "{size: large}")
	time.Sleep(300 * time.Millisecond)
	f.awaitCopy("it loses the label, and its copies stay as they are", "o", "{size: small}")
	f.home.Edit(own, "PublishedResource", "orders", `{"metadata":{"labels":{"team":"shop"}}}`)
	f.awaitCopy("and gets it again", "o", "{size: large}")
}
