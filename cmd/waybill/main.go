// Command waybill computes, previews and commits the configuration of fleets of Kubernetes
// clusters, as data, in Git. Run `waybill --help`.
//
// It links no controller: `waybill controller` runs the program waybill-controller.
package main

import (
	"github.com/waybill-dev/waybill/cmd/waybill/internal/delegate"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

func main() { root.Main(delegate.NewCommand) }
