// Command map is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

func main() { fn.Main(mapping.Function(catalog.Functions...)) }
