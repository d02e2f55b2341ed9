package pkgtree

import "fmt"

// refuseUnreadable returns an error if ReadDir would refuse t for its size: who wrote it could not read it again, and a package
// that no run can read is lost to all of them. Works of a fleet are the usual reason, as they hold every object once for each
// cluster.
func (t Tree) refuseUnreadable() error {
	limits, total := Limits{}.withDefaults(), int64(0)
	for _, b := range t.files {
		total += int64(len(b.data))
	}
	switch {
	case total > limits.Bytes:
		return fmt.Errorf("its files would have %d bytes in all, and a package of more than %d cannot be read again: divide it into several "+
			"packages, for example one for each region", total, limits.Bytes)
	case len(t.files) > limits.Files:
		return fmt.Errorf("it would have %d files, and a package of more than %d cannot be read again: divide it into several packages, for "+
			"example one for each region", len(t.files), limits.Files)
	}
	return nil
}
