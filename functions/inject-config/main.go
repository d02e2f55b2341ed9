// Command inject-config is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/injection"
)

func main() { fn.Main(injection.Function) }
