package cli

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/backend"
)

// ReadBackendTable reads a table that comes along, or else a file.
func ReadBackendTable(name string) (*backend.Table, []byte, error) {
	if slices.Contains(backend.BuiltinTables(), name) {
		return backend.BuiltinTable(name)
	}
	text, err := os.ReadFile(name) // #nosec G304 -- the file that the user names
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, Usagef("backend %q: no table of this name comes along (%s), and there is no such file", name,
			strings.Join(backend.BuiltinTables(), ", "))
	}
	if err != nil {
		return nil, nil, err
	}
	table, err := backend.ReadTable(name, text)
	return table, text, err
}
