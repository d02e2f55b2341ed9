package local

import (
	"encoding/base64"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/krm"
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
	values := map[string]string{}
	for _, key := range []string{"username", "password", "bearerToken"} {
		v, err := secretValue(s, key)
		if err != nil {
			return gitrepo.Credentials{}, fmt.Errorf("secret %q: data.%s is not base64", name, key)
		}
		values[key] = v
	}
	if values["bearerToken"] == "" && values["password"] == "" {
		return gitrepo.Credentials{}, fmt.Errorf("secret %q holds neither a password nor a bearerToken", name)
	}
	return gitrepo.Credentials{Username: values["username"], Password: values["password"], BearerToken: values["bearerToken"]}, nil
}

func secretValue(s *krm.Object, key string) (string, error) {
	if text := s.String("stringData", key); text != "" {
		return text, nil
	}
	data, err := base64.StdEncoding.DecodeString(s.String("data", key))
	return string(data), err
}
