package upstream

import (
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// TestLocalSourcesHidePasswords checks that the error about a subpackage from this machine does not show the password in its address.
func TestLocalSourcesHidePasswords(t *testing.T) {
	k, err := kptfile.Parse("Kptfile", []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\nupstream:\n  type: git\n  git:\n"+
		"    repo: /work/http:/user:TOKEN@h/x.git\n    directory: /\n    ref: v1\n"))
	if err != nil {
		t.Fatal(err)
	}
	err = checkLocalSources("sub", kptfilev1.Git{Repo: "https://example.com/x.git"}, k)
	if err == nil || strings.Contains(err.Error(), "TOKEN") || !strings.Contains(err.Error(), "upstream.git.repo") {
		t.Errorf("the error is %v", err)
	}
}
