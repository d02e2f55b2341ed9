package registry

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/oci"
)

// dockerConfigKey is the key of Secrets of the type kubernetes.io/dockerconfigjson.
const dockerConfigKey = ".dockerconfigjson"

// Keychain reads the data of the Secret that a Repository object of type oci names: kubernetes.io/dockerconfigjson,
// kubernetes.io/basic-auth, or Opaque with a bearerToken. The credentials are for that registry alone.
func Keychain(obj *porchconfig.Repository, secret string, data map[string][]byte) (oci.Keychain, error) {
	at, err := Address(obj)
	if err != nil {
		return nil, err
	}
	switch {
	case len(data[dockerConfigKey]) > 0:
		keys, err := oci.DockerConfig(at.Registry, data[dockerConfigKey])
		if err != nil {
			return nil, fmt.Errorf("secret %q: %s: %w", secret, dockerConfigKey, err)
		}
		return keys, nil
	case len(data["bearerToken"]) > 0:
		return oci.Bearer(at.Registry, string(data["bearerToken"])), nil
	case len(data["password"]) > 0:
		return oci.BasicAuth(at.Registry, string(data["username"]), string(data["password"])), nil
	}
	return nil, fmt.Errorf("secret %q holds neither %s nor a password nor a bearerToken", secret, dockerConfigKey)
}

// SecretName is the Secret that a Repository object names; "" for none.
func SecretName(obj *porchconfig.Repository) string {
	switch {
	case obj.Spec.Type == porchconfig.RepositoryTypeOCI && obj.Spec.OCI != nil:
		return obj.Spec.OCI.SecretRef.Name
	case obj.Spec.Type != porchconfig.RepositoryTypeOCI && obj.Spec.Git != nil:
		return obj.Spec.Git.SecretRef.Name
	}
	return ""
}
