package cluster

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// TestUnreadableHidesPasswords puts a password into addresses that no Repository of a cluster can have, and looks for it
// in the error, which becomes a condition, an event and a line of the log.
func TestUnreadableHidesPasswords(t *testing.T) {
	for _, repo := range []string{
		"http:/user:TOKEN@h/x.git", "https:user:TOKEN@h/x.git", "http//user:TOKEN@h/x.git", "htps://user:TOKEN@h/x.git", "ssh://user:TOKEN@h/x.git",
		"user:TOKEN@h:x.git", "//user:TOKEN@h/x.git", `https:\\user:TOKEN@h\x.git`, "HTTPS://user:TOKEN@h/x.git",
	} {
		var obj porchconfig.Repository
		obj.Spec.Type, obj.Spec.Git = porchconfig.RepositoryTypeGit, &porchconfig.GitRepository{Repo: repo}
		if err := readable(&obj); err == nil || strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("%s: %v", repo, err)
		}
		obj.Spec = porchconfig.RepositorySpec{Type: porchconfig.RepositoryTypeOCI, OCI: &porchconfig.OCIRepository{Registry: repo}}
		if err := readable(&obj); err == nil || strings.Contains(err.Error(), "TOKEN") {
			t.Errorf("OCI registry %s: %v", repo, err)
		}
	}
}
