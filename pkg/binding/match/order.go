package match

import (
	"cmp"

	"github.com/waybill-dev/waybill/pkg/workload"
)

// compareEntries orders as Bindings are: the joined text of namespace and name decides, so that
// namespace "b-c" comes before "b". Only what is given twice is left for the file to decide, which
// makes messages steady.
func compareEntries(a, b *Candidate) int {
	if c := compareBool(a.Namespace != "", b.Namespace != ""); c != 0 {
		return c
	}
	if c := cmp.Compare(a.gvr, b.gvr); c != 0 {
		return c
	}
	if c := compareJoined(a, b); c != 0 {
		return c
	}
	return workload.Compare(a.Object, b.Object)
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

func compareJoined(a, b *Candidate) int {
	if a.Namespace == b.Namespace {
		return cmp.Compare(a.Name, b.Name)
	}
	return cmp.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
}
