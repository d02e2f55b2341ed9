package clustertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
)

const widget = `apiVersion: clustertest.waybill.dev/v1
kind: Widget
metadata:
  name: small
spec:
  size: 1
`

// TestKubectl takes a kind from its definition to an object, with the real command line.
func TestKubectl(t *testing.T) {
	c := Shared(t)
	c.InstallCRDs(t, "testdata/crds")
	c.InstallCRDs(t, "testdata/crds") // what is there is no fault
	namespace := c.Namespace(t)
	cases := []struct { // one after the other
		reason string
		input  string
		args   []string
		want   string
		fault  string
	}{
		{"a kind of a folder is served", widget, []string{"apply", "-f", "-"}, "widget.clustertest.waybill.dev/small created\n", ""},
		{"what was applied is there", "", []string{"get", "widgets", "-o", "jsonpath={.items[*].spec.size}"}, "1", ""},
		{"the server holds objects to the definition", strings.Replace(widget, "size: 1", "size: 0", 1), []string{"apply", "-f", "-"}, "",
			"spec.size: Invalid value: 0"},
	}
	for _, tc := range cases {
		got, err := c.Kubectl(t, c.Admin(), tc.input, append(tc.args, "-n", namespace)...)
		if diff := cmp.Diff(tc.want, got); diff != "" || (err == nil) != (tc.fault == "") {
			t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
		}
		if err != nil && !strings.Contains(err.Error(), tc.fault) {
			t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.fault, err)
		}
	}
}

func TestNamespacesAreFresh(t *testing.T) {
	c := Shared(t)
	if one, other := c.Namespace(t), Shared(t).Namespace(t); one == other {
		t.Errorf("two tests got the namespace %q", one)
	}
}

// TestAuthorization shows that RBAC decides, for everyone who is no administrator.
func TestAuthorization(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t)
	stranger := c.ServiceAccount(t, namespace, "stranger")
	reader := c.ServiceAccount(t, namespace, "reader")
	forged := c.anonymous()
	forged.BearerToken = stranger.BearerToken[:len(stranger.BearerToken)-8] + "AAAAAAAA"
	for _, args := range [][]string{
		{"create", "role", "reads", "--verb=get,list", "--resource=configmaps"},
		{"create", "rolebinding", "reads", "--role=reads", "--serviceaccount=" + namespace + ":reader"},
	} {
		if _, err := c.Kubectl(t, c.Admin(), "", append(args, "-n", namespace)...); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		reason string
		who    *rest.Config
		args   []string
		fault  string // "" if it may
	}{
		"Admin":     {"an administrator may do everything", c.Admin(), []string{"get", "secrets", "-A"}, ""},
		"Stranger":  {"an account without roles may read nothing", stranger, []string{"get", "configmaps", "-n", namespace}, "Error from server (Forbidden): "},
		"Reader":    {"a role allows what it says", reader, []string{"get", "configmaps", "-n", namespace}, ""},
		"Elsewhere": {"and where it says", reader, []string{"get", "configmaps", "-n", "default"}, "Error from server (Forbidden): "},
		"More":      {"and no more", reader, []string{"create", "configmap", "x", "-n", namespace}, "error: failed to create configmap: configmaps is forbidden"},
		"Forged":    {"a token that the server has not signed is worth nothing", forged, []string{"get", "configmaps", "-n", namespace}, "error: You must be logged in to the server"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := c.Kubectl(t, tc.who, "", tc.args...)
			if (err == nil) != (tc.fault == "") || err != nil && !strings.Contains(err.Error(), tc.fault) {
				t.Errorf("%s: want an error with %q, got %v", tc.reason, tc.fault, err)
			}
		})
	}
}

// TestSecretsAreTheUsersAlone holds for all that a cluster writes.
func TestSecretsAreTheUsersAlone(t *testing.T) {
	c := Shared(t)
	for name, file := range map[string]string{"cluster": c.dir, "kubeconfig": c.Kubeconfig(t, c.Admin())} {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may look into the %s: %s", name, info.Mode())
		}
	}
}

// TestNothingIsLeftOfAFailedStart has an etcd that only complains.
func TestNothingIsLeftOfAFailedStart(t *testing.T) {
	programs, tmp := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\necho my disk is gone >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(programs, "etcd"), []byte(script), 0o755); err != nil { // #nosec G306 -- a program must be executable
		t.Fatal(err)
	}
	t.Setenv("KUBEBUILDER_ASSETS", programs)
	t.Setenv("TMPDIR", tmp)
	c, err := New()
	want := "start a cluster: etcd ended before it was ready: my disk is gone"
	if c != nil || err == nil || err.Error() != want {
		t.Errorf("want %q, got %v", want, err)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("want an empty folder, got %v, %v", left, err)
	}
}
