package memlimit

import (
	"math"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		files  map[string]string
		want   int64
	}{
		"nothing":   {"no file, no limit", nil, math.MaxInt64},
		"machine":   {"more than there is cannot be used", map[string]string{"proc/meminfo": "MemTotal:  1024 kB\nMemFree: 1 kB\n"}, 1 << 20},
		"container": {"version 2, in a namespace of its own", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "2147483648\n"}, 2 << 30},
		"pod": {"a group above is the tighter one", map[string]string{"proc/self/cgroup": "0::/pod/main\n",
			"sys/fs/cgroup/pod/memory.max": "100\n", "sys/fs/cgroup/pod/main/memory.max": "max\n"}, 100},
		"v1": {"version 1", map[string]string{"proc/self/cgroup": "5:cpu,cpuacct:/a\n4:memory:/docker/x\n",
			"sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "4096\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 4096},
		"v1 container": {"the machine's path, and a mount of the group alone", map[string]string{"proc/self/cgroup": "4:memory:/docker/x\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "8192\n"}, 8192},
		"odd":  {"what cannot be read sets no limit", map[string]string{"proc/self/cgroup": "0::/../x\nodd\n", "sys/fs/cgroup/memory.max": "-1\n"}, math.MaxInt64},
		"both": {"the least counts", map[string]string{"proc/meminfo": "MemTotal: 2 kB\n", "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1000\n"}, 1000},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for p, text := range tc.files {
				root[p] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := read(root); got != tc.want {
				t.Errorf("%s: got %d, want %d", tc.reason, got, tc.want)
			}
		})
	}
	if Bytes() <= 0 {
		t.Error("this process may use no memory")
	}
}

// TestSet holds that a user's limit counts if it is the least, and that the runtime knows it.
func TestSet(t *testing.T) {
	before, runtime := Bytes(), debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(runtime)
	defer Set(0)
	if Set(100 << 20); Bytes() != 100<<20 || debug.SetMemoryLimit(-1) != Bytes()/10*9 {
		t.Errorf("the limit is %d, that of the runtime %d", Bytes(), debug.SetMemoryLimit(-1))
	}
	if Set(math.MaxInt64); Bytes() != before {
		t.Errorf("with a limit that is no limit, it is %d, want %d", Bytes(), before)
	}
	if Set(0); Bytes() != before || debug.SetMemoryLimit(-1) != before/10*9 {
		t.Errorf("without it, the limit is %d, want %d", Bytes(), before)
	}
}
