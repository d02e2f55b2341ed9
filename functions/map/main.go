// Command map is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

func main() { fn.Main(mapcontroller.Function(catalog.Functions...)) }
