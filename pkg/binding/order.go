package binding

import (
	"cmp"

	"github.com/waybill-dev/waybill/pkg/workload"
)

// compareEntries orders as Bindings are: the joined text of namespace and name decides, so that
// namespace "b-c" comes before "b". Only what is given twice is left for the file to decide, which
// makes messages steady.
func compareEntries(a, b *entry) int {
	if c := compareBool(a.namespace != "", b.namespace != ""); c != 0 {
		return c
	}
	if c := cmp.Compare(a.gvr, b.gvr); c != 0 {
		return c
	}
	if c := compareJoined(a, b); c != 0 {
		return c
	}
	return workload.Compare(a.object, b.object)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareJoined(a, b *entry) int {
	if a.namespace == b.namespace {
		return cmp.Compare(a.name, b.name)
	}
	return cmp.Compare(a.namespace+"/"+a.name, b.namespace+"/"+b.name)
}
