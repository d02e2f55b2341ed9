package pkgtree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// ownStaging is the staging folder of the package's own folder, which stays locked. It holds the journal and the list of made folders.
type ownStaging struct {
	mu       sync.Mutex
	name     string       // empty until there is one
	held     *os.File     // the lock on it
	madeList *os.File     // the list of made folders
	recorded string       // the last path in it
	count    atomic.Int64 // of files staged so far, in all staging folders
}

// folder is the name of the staging folder in root, which it makes if there is none yet.
func (s *ownStaging) folder(root *os.Root) (name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.make(root)
}

func (s *ownStaging) make(root *os.Root) (name string, err error) {
	if s.name != "" {
		return s.name, nil
	}
	if s.name, s.held, err = newStagingFolder(root); err != nil {
		return "", err
	}
	s.madeList, err = newMadeFile(root, s.name)
	return s.name, err
}

// record writes to the list that dir is missing from dir[:at] on.
func (s *ownStaging) record(root *os.Root, dir string, at int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(s.recorded+"/", dir+"/") { // recorded with its parent
		return nil
	}
	if _, err := s.make(root); err != nil {
		return folder.WrapWrite(dir, err)
	}
	missing := 1 + strings.Count(dir[at:], "/")
	if _, err := fmt.Fprintf(s.madeList, "%d %s\n", missing, dir); err != nil {
		return folder.Wrap(dir, err)
	}
	s.recorded = dir
	return nil
}

// newMadeFile makes the list of folders in the new staging folder called name.
func newMadeFile(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(filepath.Join(name, madeFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
}

// close closes the open files, and forgets the folder.
func (s *ownStaging) close() {
	for _, f := range []*os.File{s.madeList, s.held} {
		if f != nil {
			_ = f.Close() // and unlocks it
		}
	}
	s.madeList, s.held, s.name, s.recorded = nil, nil, "", ""
}
