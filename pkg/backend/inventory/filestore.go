package inventory

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FileStore keeps an inventory as a BackendInventory in a file. Changes go, one line each, to a journal
// beside it, "<file>.journal", until Close writes the file anew. A journal that is found is what a
// process left that was killed, and counts.
type FileStore struct {
	path    string                   // of the file itself, not of a link to it
	object  waybill.BackendInventory // all but the inventory
	state   *Inventory
	journal *os.File
}

// inventoryLimits let in an inventory of some hundred thousand resources.
var inventoryLimits = krm.Limits{Bytes: 256 << 20, Nodes: 20_000_000}

// OpenFile reads what is kept at path: nothing, when there is no file yet. Only one process may
// have it open, and must Close it.
func OpenFile(path, backend string) (*FileStore, error) {
	place, err := FilesAt(path)
	if err != nil {
		return nil, err
	}
	s := &FileStore{path: place.File, object: newInventoryObject(backend), state: New(backend)}
	if s.journal, err = openJournal(place); err != nil {
		return nil, err
	}
	if err := s.load(backend); err != nil {
		return nil, errors.Join(fmt.Errorf("inventory %s: %w", path, err), s.journal.Close())
	}
	return s, nil
}

// begin takes in what is there, once nobody else does.
func (s *FileStore) load(backend string) error {
	err := lock(s.journal)
	if err == nil {
		err = s.readFile()
	}
	if err == nil {
		err = s.state.CheckBackend(backend)
	}
	if err == nil {
		err = s.replayJournal()
	}
	if err == nil { // a journal without a file says it, too
		err = s.state.CheckBackend(backend)
	}
	return err
}

// CheckBackend refuses the inventory of another backend: all in it would be deleted on this one.
func (i *Inventory) CheckBackend(backend string) error {
	if i.backend != "" && i.backend != backend {
		return fmt.Errorf("it is one of backend %q, not of %q", i.backend, backend)
	}
	return nil
}

func newInventoryObject(backend string) waybill.BackendInventory {
	return waybill.BackendInventory{
		TypeMeta:   metav1.TypeMeta{APIVersion: waybill.APIVersion, Kind: waybill.KindBackendInventory},
		ObjectMeta: metav1.ObjectMeta{Name: backend},
	}
}

func (s *FileStore) readFile() error {
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	objects, err := krm.Read(filepath.Base(s.path), data, inventoryLimits)
	if err != nil {
		return err
	}
	if len(objects) != 1 {
		return fmt.Errorf("want one %s, got %d objects", waybill.KindBackendInventory, len(objects))
	}
	b, err := waybill.ReadBackendInventory(objects[0])
	if err != nil {
		return err
	}
	if s.state, err = FromObject(b); err != nil {
		return err
	}
	s.object = *b
	s.object.Spec = waybill.BackendInventorySpec{}
	return nil
}

// Load gives a copy of what is kept.
func (s *FileStore) Load(context.Context) (*Inventory, error) { return s.state.Clone(), nil }

// Save writes a change to the journal, and returns when it is on disk.
func (s *FileStore) Save(_ context.Context, c Change) error {
	before, err := s.journal.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if before == 0 { // there may be no file yet that says it
		c.Backend, c.URL = s.state.backend, cmp.Or(c.URL, s.state.url)
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err = s.journal.Write(append(line, '\n')); err == nil {
		err = s.journal.Sync()
	}
	if err != nil { // part of a line would spoil the next
		_, back := s.journal.Seek(before, io.SeekStart)
		return errors.Join(err, back, s.journal.Truncate(before))
	}
	s.state.Take(c)
	return nil
}

// Close writes the file anew, and then empties the journal. The file stands untouched if nothing has changed.
func (s *FileStore) Close() error {
	err := s.compact()
	return errors.Join(err, s.journal.Close())
}

func (s *FileStore) compact() error {
	if at, err := s.journal.Seek(0, io.SeekCurrent); err != nil || at == 0 {
		return err
	}
	text, err := s.text()
	if err != nil {
		return err
	}
	if err := writeAtomically(s.path, text); err != nil {
		return err
	}
	return s.journal.Truncate(0)
}

// text is the inventory as a file.
func (s *FileStore) text() ([]byte, error) {
	b := s.object
	b.Spec = s.state.Spec()
	o, err := krm.FromTyped(&b)
	if err != nil {
		return nil, err
	}
	return krm.Write([]*krm.Object{o})
}
