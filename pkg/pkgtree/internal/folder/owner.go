package folder

import (
	"errors"
	"io/fs"
	"os"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// Owner is the owner of a file; nil for a file of the user who runs this process.
type Owner struct{ user, group int }

// OwnerOf is that of the file which st describes.
func OwnerOf(st fs.FileInfo) *Owner {
	o, known := osfile.OwnerOf(st)
	if !known || o.User == os.Geteuid() && o.Group == os.Getegid() {
		return nil
	}
	return &Owner{o.User, o.Group}
}

// Give gives the file called name to o, the owner of the file that it replaces: root may write to the packages of
// other users, who stay their owners. For other users it changes what the system allows.
func (o *Owner) Give(in *os.Root, name string) error {
	if o == nil {
		return nil
	}
	err := in.Lchown(name, o.user, o.group)
	if errors.Is(err, fs.ErrPermission) && os.Geteuid() != 0 {
		return nil
	}
	return err
}
