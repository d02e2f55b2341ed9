package pkg

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// RegistryFlags say how a command reaches registries.
type RegistryFlags struct {
	plainHTTP bool
	verifyKey string
}

// Add adds --plain-http.
func (r *RegistryFlags) Add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.plainHTTP, "plain-http", false, "allow HTTP without encryption to a registry that is not on this machine")
}

// AddVerify adds --verify-key.
func (r *RegistryFlags) AddVerify(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.verifyKey, "verify-key", "", "`FILE` of the public key of cosign that must have signed the package")
}

// Client returns a client of registries, which caches what it reads by digest.
func (r *RegistryFlags) Client(cache *cli.CacheFlags, moveTags bool) (*oci.Client, error) {
	return oci.New(oci.Options{PlainHTTP: r.plainHTTP, MoveTags: moveTags, Cache: cache.Registries(0)})
}

// Source fetches packages from Git repositories and registries, through the cache.
func Source(cache *cli.CacheFlags, r *RegistryFlags) (upstream.Source, error) {
	client, err := r.Client(cache, false)
	if err != nil {
		return nil, err
	}
	s := upstream.Sources{Git: GitSource(cache), Registry: upstream.Registry{Client: client}}
	if r.verifyKey == "" {
		return s, nil
	}
	data, err := os.ReadFile(r.verifyKey)
	if err == nil {
		s.Registry.Key, err = oci.ParseKey(data)
	}
	if err != nil {
		return nil, cli.Usagef("--verify-key %q: %w", r.verifyKey, err)
	}
	return s, nil
}
