package repository

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// vault has Secrets in namespace fleet, and refuses names so many times.
type vault struct {
	client.Reader
	secrets map[string]corev1.Secret
	refuses map[string]int
}

func (v *vault) Get(_ context.Context, at client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	of := schema.GroupResource{Resource: "secrets"}
	if v.refuses[at.Name] > 0 {
		v.refuses[at.Name]--
		return apierrors.NewForbidden(of, at.Name, errors.New("not you"))
	}
	found, ok := v.secrets[at.Name]
	if !ok {
		return apierrors.NewNotFound(of, at.Name)
	}
	found.DeepCopyInto(into.(*corev1.Secret))
	return nil
}

// TestAccess reads the Secrets of a Repository from API servers that refuse some, for ever or for now.
func TestAccess(t *testing.T) {
	const always = 1 << 20
	secrets := map[string]corev1.Secret{
		"login":           {Data: map[string][]byte{"password": []byte("hush")}},
		"fleet-ca-bundle": {Data: map[string][]byte{"ca.crt": []byte("PEM")}},
	}
	cases := map[string]struct {
		reason   string
		ref      string // spec.git.secretRef
		secrets  map[string]corev1.Secret
		refuses  map[string]int
		early    bool // the server is not ready
		password string
		ca, err  string
	}{
		"both":          {"all is there", "login", secrets, nil, false, "hush", "PEM", ""},
		"open":          {"an open repository wants none", "", nil, nil, false, "", "", ""},
		"once":          {"a server that has become ready is asked once more", "login", secrets, map[string]int{"login": 1, "fleet-ca-bundle": 1}, false, "hush", "PEM", ""},
		"early":         {"one that is not is not believed", "login", secrets, map[string]int{"login": 1}, true, "", "", "secretRef: the API server is not ready"},
		"early bundle":  {"nor is it about the bundle", "", secrets, map[string]int{"fleet-ca-bundle": 1}, true, "", "", "ca bundle: the API server is not ready"},
		"refused":       {"one that is ready is believed", "login", secrets, map[string]int{"login": always}, false, "", "", `secretRef: secrets "login" is forbidden: not you`},
		"open, refused": {"an open repository does without the bundle", "", secrets, map[string]int{"fleet-ca-bundle": always}, false, "", "", ""},
		"half refused":  {"one with a Secret has rights to it that lack something", "login", secrets, map[string]int{"fleet-ca-bundle": always}, false, "", "", `ca bundle: secrets "fleet-ca-bundle" is forbidden: not you`},
		"missing":       {"a Secret that is named is there", "login", nil, nil, false, "", "", `secretRef: there is no Secret "login" in namespace "fleet"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			obj := &porchconfig.Repository{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet"}, Spec: porchconfig.RepositorySpec{
				Git: &porchconfig.GitRepository{SecretRef: porchconfig.SecretRef{Name: tc.ref}}}}
			ready := live.ReadyReader{Reader: &vault{secrets: tc.secrets, refuses: tc.refuses}, Ready: func(context.Context) error {
				if tc.early {
					return apierror.ErrNotReady
				}
				return nil
			}}
			got, err := access.Read(context.Background(), reader{ready}, obj)
			said := ""
			if err != nil {
				said = err.Error()
			}
			if diff := cmp.Diff([]string{tc.password, tc.ca, tc.err}, []string{got.Credentials.Password, string(got.Authorities), said}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if apierror.IsNotReady(err) != tc.early || apierror.IsUnavailable(err) != tc.early {
				t.Errorf("%s: is it too early? %v", tc.reason, err)
			}
		})
	}
}

// TestUnreadableHidesPasswords puts a password into addresses that no Repository of a cluster can have, and looks for it
// in the error, which becomes a condition, an event and a line of the log.
func TestUnreadableHidesPasswords(t *testing.T) {
	for _, repo := range []string{
		"http:/user:TOKEN@h/x.git", "https:user:TOKEN@h/x.git", "http//user:TOKEN@h/x.git", "htps://user:TOKEN@h/x.git", "ssh://user:TOKEN@h/x.git",
		"user:TOKEN@h:x.git", "//user:TOKEN@h/x.git", `https:\\user:TOKEN@h\x.git`, "HTTPS://user:TOKEN@h/x.git",
	} {
		var obj porchconfig.Repository
		obj.Spec.Type, obj.Spec.Git = porchconfig.RepositoryTypeGit, &porchconfig.GitRepository{Repo: repo}
		if err := access.Validate(&obj); err == nil || strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("%s: %v", repo, err)
		}
		obj.Spec = porchconfig.RepositorySpec{Type: porchconfig.RepositoryTypeOCI, OCI: &porchconfig.OCIRepository{Registry: repo}}
		if err := access.Validate(&obj); err == nil || strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("OCI registry %s: %v", repo, err)
		}
	}
}
