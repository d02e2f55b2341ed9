package local

import (
	"encoding/base64"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// warnOfSecret says once that the files lack the Secret of a Repository, and what is used in its place.
func (r *Repositories) warnOfSecret(repository, secret Key) {
	if r.Warn != nil && !r.warned[repository] {
		r.Warn(fmt.Sprintf("repository %s: the files hold no Secret %q of namespace %q: Git's credential helpers, .netrc and the SSH agent "+
			"are used", repository, secret.Name, secret.Namespace))
	}
	r.warned[repository] = true
}

// credentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func (in *Input) credentials(secret Key) (gitrepo.Credentials, error) {
	name := secret.Name
	if name == "" {
		return gitrepo.Credentials{}, nil
	}
	s := in.Secrets[secret]
	data := map[string][]byte{}
	for _, key := range []string{"username", "password", "bearerToken"} {
		value := []byte(s.String("stringData", key))
		if len(value) == 0 {
			var err error
			if value, err = base64.StdEncoding.DecodeString(s.String("data", key)); err != nil {
				return gitrepo.Credentials{}, fmt.Errorf("secret %q: data.%s is not base64", name, key)
			}
		}
		data[key] = value
	}
	return snapshot.Credentials(name, data)
}
