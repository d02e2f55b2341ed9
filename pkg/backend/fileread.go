package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ReadInventoryFile reads what a FileStore keeps at path, and writes nothing: an empty inventory of the
// backend, when there is none. It is an error while a FileStore has it open.
func ReadInventoryFile(path, backend string) (*Inventory, error) {
	s := &FileStore{path: path, state: NewInventory(backend)}
	if err := s.look(); err != nil {
		return nil, fmt.Errorf("inventory %s: %w", path, err)
	}
	return s.state, nil
}

// look reads the file, and the journal if there is one, while nobody writes them.
func (s *FileStore) look() error {
	journal, err := os.Open(s.path + journalSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return s.readFile()
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
	_, err = s.state.replay(journal)
	return err
}
