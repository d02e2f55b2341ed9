package main

import (
	"bytes"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet"
	shown "github.com/waybill-dev/waybill/pkg/fleet/inert"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// stale warns of generated works of a side that rendering it made others: clusters have those that are committed, and the preview
// compares those that were rendered. A side without generated works was never rendered, which is no reason to warn.
func stale(side string, given, rendered pkgtree.Tree) string {
	works, count, first := 0, 0, ""
	for p, b := range given.All() {
		if !isGeneratedWork(b) {
			continue
		}
		works++
		if now := rendered.Blob(p); now != nil && now.Equal(b) {
			continue
		}
		if count++; first == "" || p < first {
			first = p
		}
	}
	if count == 0 {
		return ""
	}
	return shown.Text(fmt.Sprintf("warning: %s: %d of %d generated works are not what this version of waybill renders from the package, "+
		"%s for one; "+
		"both sides are rendered anew here: --no-render compares what is committed", side, count, works, first))
}

// isGeneratedWork reports whether a file speaks of a work and of a function that generated it.
func isGeneratedWork(b *pkgtree.Blob) bool {
	return bytes.Contains(b.Data(), []byte(fleet.WorkKind)) && bytes.Contains(b.Data(), []byte(fn.GeneratedBy))
}
