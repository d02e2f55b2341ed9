package local

import (
	"encoding/base64"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// credentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func (in *Input) credentials(namespace, name string) (gitrepo.Credentials, error) {
	if name == "" {
		return gitrepo.Credentials{}, nil
	}
	s := in.secrets[Key{namespace, name}]
	if s == nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", name, namespace)
	}
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
