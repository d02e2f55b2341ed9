package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"testing"
)

func FuzzCheckBinary(f *testing.F) {
	f.Add(fakeELF(elf.EM_X86_64, elf.ET_EXEC, elf.PT_LOAD))
	f.Add(fakeELF(elf.EM_AARCH64, elf.ET_DYN, elf.PT_INTERP))
	f.Add([]byte("#!/bin/sh\n"))
	f.Add([]byte{})
	var x32 bytes.Buffer // 32-bit pointers on a 64-bit machine; amd64 kernels mostly refuse it
	if err := binary.Write(&x32, binary.LittleEndian, elf.Header32{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS32), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT),
		Ehsize: 52, Phentsize: 32, Shentsize: 40,
	}); err != nil {
		f.Fatal(err)
	}
	f.Add(x32.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, p := range Platforms() {
			if checkBinary(b, p) != nil {
				continue
			}
			if !bytes.HasPrefix(b, []byte("\x7fELF\x02\x01")) {
				t.Errorf("%s: accepted %d bytes that are no little-endian 64-bit ELF", p, len(b))
			}
			if got := elf.Machine(binary.LittleEndian.Uint16(b[18:])); got != machines[p] {
				t.Errorf("%s: accepted a binary for %v", p, got)
			}
		}
	})
}
