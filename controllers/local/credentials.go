package local

import (
	"encoding/base64"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// warnOfSecret says once that the files lack the Secret of a Repository, and what is used in its place.
func (r *Repositories) warnOfSecret(repository, secret Key) {
	if r.Warn != nil && !r.warned[repository] {
		instead := "Git's credential helpers, .netrc and the SSH agent"
		if r.in.RepositoryObjects[repository].Spec.Type == porchconfig.RepositoryTypeOCI {
			instead = "those that docker or podman keep"
		}
		r.Warn(fmt.Sprintf("repository %s: the files hold no Secret %q of namespace %q: %s are used",
			repository, secret.Name, secret.Namespace, instead))
	}
	r.warned[repository] = true
}

// secret reads the data of a Secret of the type kubernetes.io/basic-auth, kubernetes.io/dockerconfigjson, or Opaque with a bearerToken;
// nil where none is named.
func (in *Input) secret(secret Key) (map[string][]byte, error) {
	name := secret.Name
	if name == "" {
		return nil, nil
	}
	s := in.Secrets[secret]
	data := map[string][]byte{}
	for _, key := range []string{"username", "password", "bearerToken", ".dockerconfigjson"} {
		value := []byte(s.String("stringData", key))
		if len(value) == 0 {
			var err error
			if value, err = base64.StdEncoding.DecodeString(s.String("data", key)); err != nil {
				return nil, fmt.Errorf("secret %q: data.%s is not base64", name, key)
			}
		}
		data[key] = value
	}
	return data, nil
}
