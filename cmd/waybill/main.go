// Command waybill computes, previews and commits the configuration of fleets of Kubernetes
// clusters, as data, in Git. Run `waybill --help`.
//
// It links no controller, and no client of Porch: for these it runs the program waybill-controller.
package main

import (
	"github.com/waybill-dev/waybill/cmd/waybill/internal/delegate"
	_ "github.com/waybill-dev/waybill/cmd/waybill/internal/gcstart" // before the rest
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

func main() { root.Main(root.Parts{Controller: delegate.NewCommand, OpenPorch: delegate.OpenPorch}) }
