// Command remove-local-config-resources removes local configuration; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/localconfig"
)

func main() { fn.Main(localconfig.Function) }
