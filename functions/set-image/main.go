// Command set-image sets images; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
)

func main() { fn.Main(setimage.Function) }
