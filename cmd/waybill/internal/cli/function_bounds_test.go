package cli

import (
	"testing"
)

func TestMemoryValue(t *testing.T) {
	var m memoryValue
	for text, want := range map[string]int64{"512Mi": 512 << 20, "2Gi": 2 << 30, "1G": 1e9, "16777216": 16 << 20} {
		if err := m.Set(text); err != nil || int64(m) != want {
			t.Errorf("%s is %d (%v), want %d", text, m, err, want)
		}
		var again memoryValue
		if err := again.Set(m.String()); err != nil || again != m {
			t.Errorf("%s prints as %s, which is %d (%v)", text, &m, again, err)
		}
	}
}
