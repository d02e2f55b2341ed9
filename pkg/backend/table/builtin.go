package table

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

//go:embed tables/*.yaml
var tables embed.FS

// BuiltinNames are the names of the tables in the binary, sorted: midonet, and rest-example, which shows how to write one.
func BuiltinNames() (names []string) {
	entries, err := tables.ReadDir("tables")
	if err != nil {
		panic(err) // they are part of the program
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Builtin is a table in the binary, and its text.
func Builtin(name string) (*Table, []byte, error) {
	if !slices.Contains(BuiltinNames(), name) {
		return nil, nil, fmt.Errorf("there is no built-in table %q: want %s", name, strings.Join(BuiltinNames(), " or "))
	}
	text, err := tables.ReadFile("tables/" + name + ".yaml")
	if err != nil {
		return nil, nil, err
	}
	t, err := Read(name+".yaml", text)
	return t, text, err
}

// Read reads one BackendTable from a file and compiles it. The error has every fault.
func Read(file string, data []byte) (*Table, error) {
	objects, err := krm.Read(file, data, krm.Limits{Bytes: 4 << 20})
	if err != nil {
		return nil, err
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s: want one %s, got %d objects", file, waybill.KindBackendTable, len(objects))
	}
	b, err := waybill.ReadBackendTable(objects[0])
	if err != nil {
		return nil, err
	}
	t, errs := Compile(b)
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s: %w", objects[0].Describe(), errs.ToAggregate())
	}
	return t, nil
}
