// Command kubeconform validates objects; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/schema"
)

func main() { fn.Main(schema.Function) }
