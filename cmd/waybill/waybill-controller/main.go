// Command waybill-controller is waybill with the controllers linked in: `waybill controller` runs it, and it is the waybill of the image.
package main

import (
	"github.com/waybill-dev/waybill/cmd/waybill/internal/controller"
	_ "github.com/waybill-dev/waybill/cmd/waybill/internal/gcstart" // before the rest
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

func main() {
	root.Main(root.Parts{Controller: controller.NewCommand, OpenPorch: controller.OpenPorch})
}
