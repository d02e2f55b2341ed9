package pkgtree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// TestOwners replaces files of other users: they stay the owners when root does it, and other users need permission.
func TestOwners(t *testing.T) {
	from, to := tree(t, map[string]string{"a": "1"}), tree(t, map[string]string{"a": "2"})
	dir := layOut(t, files(from))
	file := filepath.Join(dir, "a")
	if os.Geteuid() != 0 {
		if err := os.Chmod(file, 0o444); err != nil {
			t.Fatal(err)
		}
		if err := WriteDir(dir, from, to); err == nil || !strings.HasSuffix(err.Error(), ": a: no permission to write to it") {
			t.Errorf("a file that its owner protects: %v", err)
		}
		return
	}
	if err := os.Chown(file, 12345, 23456); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, from, to); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if owner, _ := osfile.OwnerOf(st); owner != (osfile.Owner{User: 12345, Group: 23456}) {
		t.Errorf("the file belongs to %d:%d now", owner.User, owner.Group)
	}
}
