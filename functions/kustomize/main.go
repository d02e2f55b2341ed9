// Command kustomize builds a kustomization of the package; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/kustomize"
)

func main() { fn.Main(kustomize.Function) }
