package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
		return errors.Join(s.readFile(), s.state.CheckBackend(backend))
	}
	if err != nil {
		return err
	}
	defer journal.Close()
	if err := lockToRead(journal); err != nil {
		return err
	}
	if err := s.readFile(); err != nil {
		return err
	}
	if err := s.state.CheckBackend(backend); err != nil {
		return err
	}
	_, err = s.state.replay(journal)
	return errors.Join(err, s.state.CheckBackend(backend))
}
