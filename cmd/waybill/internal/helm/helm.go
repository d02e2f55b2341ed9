// Package helm has the command `waybill helm`, which pins the Helm charts that packages render.
package helm

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/gitrepo/auth"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
)

// NewCommand returns `waybill helm`.
func NewCommand() *cobra.Command {
	cmd := cli.NewGroup("helm", "Fetch the Helm charts of packages, and pin them", newLockCommand())
	cmd.Long = `These commands work on the charts that RenderHelmChart configs name, which the function
render-helm-chart renders. Rendering never asks the network: the charts lie in the package, at an
exact version, with their digests in a lock.`
	return cmd
}

// NewFetcher returns a fetcher of charts with the credentials of the user. plainHTTP allows registries without encryption on other
// machines than this one.
func NewFetcher(plainHTTP bool) *fetch.Fetcher {
	return fetch.New(fetch.Options{Login: login, Registry: registry{plainHTTP}})
}

// login finds the user's name and password for an HTTP repository.
func login(_ context.Context, url string) (user, password string, err error) {
	c, err := auth.Netrc(url, os.Getenv)
	return c.Username, c.Password, err
}
