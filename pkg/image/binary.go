package image

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
)

// checkBinary refuses what could not run in an image that holds nothing else: a binary for
// another machine, or one that needs a dynamic loader. Found here it is one clear line; found by
// a container engine it is "exec format error" or "no such file or directory".
func checkBinary(b []byte, p Platform) error {
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		return fmt.Errorf("not an ELF binary: %w", err)
	}
	if want := machines[p]; f.Machine != want || f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return fmt.Errorf("built for %v %v %v, want %v", f.Class, f.Data, f.Machine, want)
	}
	if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return fmt.Errorf("not an executable: ELF type %v", f.Type)
	}
	for _, prog := range f.Progs {
		if prog.Type == elf.PT_INTERP {
			return errors.New("dynamically linked, want a static binary (CGO_ENABLED=0)")
		}
	}
	return nil
}
