package pkgtree

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// owner is whose file it is; nil for the file of whoever runs this.
type owner struct{ user, group int }

func ownerOf(st fs.FileInfo) *owner {
	s, ok := st.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid() {
		return nil
	}
	return &owner{int(s.Uid), int(s.Gid)}
}

// give makes the file called name one of o, as that was which it replaces: root may write to everybody's
// packages, and leaves them theirs. Who is not root keeps what may be written to, as far as that goes.
func (o *owner) give(in *os.Root, name string) error {
	if o == nil {
		return nil
	}
	err := in.Lchown(name, o.user, o.group)
	if errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0 {
		return nil
	}
	return err
}
