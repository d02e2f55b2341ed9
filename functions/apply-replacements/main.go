// Command apply-replacements copies values between objects; see README.md.
package main

import (
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/replacements"
)

func main() { fn.Main(replacements.Function) }
