package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// ReadFile reads the inventory at path without writing, an empty one if there is no file. It is an error while
// a FileStore has it open.
func ReadFile(path, backend string) (*Inventory, error) {
	place, err := FilesAt(path)
	if err != nil {
		return nil, err
	}
	s := &FileStore{path: place.File, state: New(backend)}
	if err := s.readShared(place.Journal, backend); err != nil {
		return nil, fmt.Errorf("inventory %s: %w", path, err)
	}
	return s.state, nil
}

// readShared reads the file, and the journal if there is one, while no process writes them.
func (s *FileStore) readShared(journalAt, backend string) error {
	journal, err := os.Open(journalAt)
	if errors.Is(err, fs.ErrNotExist) {
		return s.read(backend, func() error { return nil })
	}
	if err != nil {
		return err
	}
	defer journal.Close()
	if err := lock(journal, osfile.Shared); err != nil {
		return err
	}
	return s.read(backend, func() error {
		_, err := s.state.replay(journal)
		return err
	})
}
