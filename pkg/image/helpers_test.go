package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// fakeELF is a header and program headers only: all that Build looks at, in a hundred bytes.
func fakeELF(machine elf.Machine, kind elf.Type, progs ...elf.ProgType) []byte {
	var b bytes.Buffer
	head := elf.Header64{
		Ident:   [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:    uint16(kind),
		Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(len(progs)), Shentsize: 64,
	}
	for _, part := range append([]any{head}, progHeaders(progs)...) {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			panic(err) // the parts have a fixed size
		}
	}
	return b.Bytes()
}

func progHeaders(progs []elf.ProgType) (heads []any) {
	for _, p := range progs {
		heads = append(heads, elf.Prog64{Type: uint32(p)})
	}
	return heads
}

var (
	amd64 = Platform{"linux", "amd64"}
	arm64 = Platform{"linux", "arm64"}
)

func fakeBinaries() map[Platform][]byte {
	return map[Platform][]byte{
		arm64: fakeELF(elf.EM_AARCH64, elf.ET_EXEC),
		amd64: fakeELF(elf.EM_X86_64, elf.ET_EXEC),
	}
}

func fakeSpec(name, version string) Spec {
	return Spec{
		Name: name, Version: version, Binaries: fakeBinaries(),
		Description: "Does " + name + ".", Types: []string{"mutator"},
	}
}

func mustBuild(t testing.TB, s Spec) v1.ImageIndex {
	t.Helper()
	idx, err := Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return idx
}

// mustWrite makes files below dir, parents included.
func mustWrite(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for path, body := range files {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// snapshot reads every file below dir.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// module is a checkout with two functions and no dependencies.
func module() map[string]string {
	return map[string]string{
		"go.mod": "module example.test/fleet\n\ngo 1.26.0\n",
		"functions/copy-input/main.go": `package main

import (
	"io"
	"os"
)

func main() {
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		os.Exit(1)
	}
}
`,
		"functions/copy-input/metadata.yaml": "image: ghcr.io/waybill-dev/copy-input\n" +
			"description: Copies its input.\ntags:\n- mutator\n- test\nlicense: Apache-2.0\n",
		"functions/who-am-i/main.go": `package main

import (
	"fmt"
	"os"
)

func main() {
	err := os.WriteFile("/probe", nil, 0o600)
	fmt.Println(os.Getuid(), os.Getgid(), err != nil)
}
`,
	}
}
