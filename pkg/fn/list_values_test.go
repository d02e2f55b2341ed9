package fn

import (
	"strings"
	"testing"
)

// TestListWithLargeItem refuses an item of a list that would be too much for a file, within a list that is not.
func TestListWithLargeItem(t *testing.T) {
	item := "- a: [" + strings.Repeat("1,", 300_000) + "]\n  b: [" + strings.Repeat("1,", 199_993) + "]\n"
	head := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: A\n"
	if _, err := ParseList([]byte(head + item)); err != nil {
		t.Error("within:", err)
	}
	item = strings.Replace(item, "[1,", "[1,1,1,1,", 1)
	want := "input is not a ResourceList: line 5: items[1] holds 500001 values, more than the 500000 allowed in one object; split it into several"
	if _, err := ParseList([]byte(head + item)); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
