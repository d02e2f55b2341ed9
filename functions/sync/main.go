// Command sync is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
)

func main() { fn.Main(syncfn.Function) }
