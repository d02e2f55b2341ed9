package oci

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
)

// Keychain has the credentials for registries.
type Keychain = authn.Keychain

// single has the credentials for one registry, and none for others.
type single struct {
	registry string
	auth     authn.AuthConfig
}

// Resolve implements Keychain.
func (s single) Resolve(target authn.Resource) (authn.Authenticator, error) {
	if target.RegistryStr() != s.registry {
		return authn.Anonymous, nil
	}
	return authn.FromConfig(s.auth), nil
}

// Anonymous has no credentials: those of the user who runs this process are not used.
func Anonymous() Keychain { return single{} }

// BasicAuth has a name and a password, or a token in place of it, for one registry.
func BasicAuth(registry, username, password string) Keychain {
	return single{registry, authn.AuthConfig{Username: username, Password: password}}
}

// Bearer has a token that a registry takes as it is.
func Bearer(registry, token string) Keychain {
	return single{registry, authn.AuthConfig{RegistryToken: token}}
}

// dockerConfig are credentials as docker keeps them, and Secrets of the type kubernetes.io/dockerconfigjson.
type dockerConfig struct {
	Auths map[string]authn.AuthConfig `json:"auths"`
}

// DockerConfig has the credentials that a docker configuration holds for one registry. That it holds none is an error.
func DockerConfig(registry string, data []byte) (Keychain, error) {
	var c dockerConfig
	if err := json.Unmarshal(data, &c); err != nil { // its text may hold a password
		return nil, errors.New("is no docker configuration: want JSON with the field auths")
	}
	for server, auth := range c.Auths {
		if hostOf(server) != registry {
			continue
		}
		if auth == (authn.AuthConfig{}) {
			break
		}
		return single{registry, auth}, nil
	}
	return nil, fmt.Errorf("holds no credentials for registry %s", registry)
}

// hostOf is the registry of a key of auths, which may be a URL, as those of Docker Hub are.
func hostOf(server string) string {
	_, rest, isURL := strings.Cut(server, "://")
	if !isURL {
		rest = server
	}
	host, _, _ := strings.Cut(rest, "/")
	if host == "docker.io" || host == "registry-1.docker.io" {
		return "index.docker.io"
	}
	return host
}
