// Command render-helm-chart renders Helm charts that lie in the package; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/helmchart"
)

func main() { fn.Main(helmchart.Function) }
