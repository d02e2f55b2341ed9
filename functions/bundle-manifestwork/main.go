// Command bundle-manifestwork writes the ManifestWorks of every Binding; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
)

func main() { fn.Main(bundling.Function) }
