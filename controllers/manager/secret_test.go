package manager_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const (
	token  = "hush-4711-token"
	secret = `apiVersion: v1
kind: Secret
metadata:
  name: login
type: kubernetes.io/basic-auth
stringData:
  username: porch
  password: `
)

// TestCredentials takes the credentials of a repository away and gives them back, and looks for
// them everywhere that people look.
func TestCredentials(t *testing.T) {
	w := newEnv(t, gittest.BasicAuth("porch", token))
	w.start()
	w.apply(w.objects["eu.yaml"])
	w.eventually("without a Secret no request is accepted", "False", func() string { return w.conditionStatus("repository/deployments") })
	w.apply(strings.Replace(w.objects["deployments.yaml"], "  git:\n", "  git:\n    secretRef:\n      name: login\n", 1))
	const missing = `False Error: secretRef: there is no Secret "login" in namespace "`
	w.eventually("a Secret that is not there is said to be missing", missing+w.namespace+`"`, func() string { return w.ready("repository/deployments") })
	w.apply(secret + token)
	w.eventually("with it all goes well", good, func() string { return w.ready("packagevariant/eu") })
	w.eventually("and the Repository says so", "True Ready: the repository can be read", func() string { return w.ready("repository/deployments") })

	w.apply(secret + token + "-wrong")
	w.eventually("credentials that are no good any more are noticed", "False", func() string { return w.conditionStatus("repository/deployments") })
	w.apply(w.objects["eu.yaml"] + "  packageContext:\n    data:\n      region: eu\n")
	w.eventually("a variant that needs them fails", "False", func() string { return w.conditionStatus("packagevariant/eu") })
	w.apply(secret + token)
	w.eventually("and goes on with those that are", good, func() string { return w.ready("packagevariant/eu") })

	everything := w.log.String() + w.kubectl("", "get", "repositories,packagevariants,events", "-o", "yaml") +
		gittest.Git(t, w.dirs["deployments"], "log", "--all", "-p")
	if strings.Contains(everything, token) {
		t.Errorf("a secret shows in:\n%s", everything)
	}
}

func (w *env) conditionStatus(object string) string {
	status, _, _ := strings.Cut(w.ready(object), " ")
	return status
}
