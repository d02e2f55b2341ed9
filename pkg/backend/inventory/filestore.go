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
	"github.com/waybill-dev/waybill/pkg/osfile"
)

// FileStore keeps an inventory as a BackendInventory in a file. It appends changes, one line each, to a journal
// beside it, "<file>.journal", until Close rewrites the file. A journal that OpenFile finds was left by a
// killed process, and is applied.
type FileStore struct {
	path    string                   // of the file itself, not of a link to it
	object  waybill.BackendInventory // all but the inventory
	state   *Inventory
	journal *os.File
}

// inventoryLimits allow an inventory of some hundred thousand resources.
var inventoryLimits = krm.Limits{Bytes: 256 << 20, Nodes: 20_000_000}

// OpenFile opens the inventory at path, an empty one if there is no file. Only one process may have it open,
// and must Close it.
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

// load locks the journal and reads file and journal.
func (s *FileStore) load(backend string) error {
	if err := lock(s.journal, osfile.Exclusive); err != nil {
		return err
	}
	return s.read(backend, s.replayJournal)
}

// read reads the file, and then the journal. Either may name the backend.
func (s *FileStore) read(backend string, journal func() error) error {
	check := func() error { return s.state.CheckBackend(backend) }
	for _, step := range []func() error{s.readFile, check, journal, check} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// CheckBackend refuses the inventory of another backend: a plan would delete all in it from this one.
func (i *Inventory) CheckBackend(backend string) error {
	if i.Backend != "" && i.Backend != backend {
		return fmt.Errorf("it is the inventory of backend %q, not of %q", i.Backend, backend)
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

// Load returns a copy of the inventory.
func (s *FileStore) Load(context.Context) (*Inventory, error) { return s.state.Clone(), nil }

// Save appends a change to the journal, and returns when it is on disk.
func (s *FileStore) Save(_ context.Context, c Change) error {
	before, err := s.journal.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if before == 0 { // there may be no file yet
		c.Backend, c.URL = s.state.Backend, cmp.Or(c.URL, s.state.URL)
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if _, err = s.journal.Write(append(line, '\n')); err == nil {
		err = s.journal.Sync()
	}
	if err != nil { // half a line would break the next
		_, back := s.journal.Seek(before, io.SeekStart)
		return errors.Join(err, back, s.journal.Truncate(before))
	}
	s.state.Take(c)
	return nil
}

// Close rewrites the file, and then empties the journal. If nothing has changed it does not touch the file.
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
