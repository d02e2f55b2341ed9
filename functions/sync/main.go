// Command sync is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

func main() { fn.Main(syncing.Function) }
