// Command bind-resolve is the KRM function of that name: see its README.
package main

import (
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
)

func main() { fn.Main(binding.Function) }
