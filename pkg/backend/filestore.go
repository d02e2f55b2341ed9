package backend

import (
	"bufio"
	"bytes"
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
	path    string
	object  waybill.BackendInventory // all but the inventory
	state   *Inventory
	journal *os.File
}

const journalSuffix = ".journal"

// inventoryLimits let in an inventory of some hundred thousand resources.
var inventoryLimits = krm.Limits{Bytes: 256 << 20, Nodes: 20_000_000}

// OpenFileStore reads what is kept at path: nothing, when there is no file yet. Only one process may
// have it open, and must Close it.
func OpenFileStore(path, backend string) (*FileStore, error) {
	s := &FileStore{path: path, object: newInventoryObject(backend), state: NewInventory(backend)}
	journal, err := os.OpenFile(path+journalSuffix, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	s.journal = journal
	err = lock(journal)
	if err == nil {
		err = s.readFile()
	}
	if err == nil {
		err = s.recover()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("inventory %s: %w", path, err), journal.Close())
	}
	return s, nil
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
	if s.state, err = InventoryOf(b); err != nil {
		return err
	}
	s.object = *b
	s.object.Spec = waybill.BackendInventorySpec{}
	return nil
}

// recover takes in the changes of the journal, and cuts off what is no whole line.
func (s *FileStore) recover() error {
	whole, err := s.state.replay(s.journal)
	if err == nil {
		err = s.journal.Truncate(whole)
	}
	if err == nil {
		_, err = s.journal.Seek(whole, io.SeekStart)
	}
	return err
}

// replay takes in the changes of a journal, and tells how many bytes they take there. What stands
// behind its last line end was being written when its writer was killed: nothing had been done about it.
func (i *Inventory) replay(journal io.Reader) (whole int64, err error) {
	in := bufio.NewReader(journal)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		c, err := readChange(line)
		if err != nil {
			return whole, fmt.Errorf("journal: line %d: %w", n, err)
		}
		i.Take(c)
		whole += int64(len(line))
	}
}

func readChange(line []byte) (c Change, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, oneLine(err)
	}
	for _, r := range c.Put {
		if err := checkRecord(r); err != nil {
			return c, fmt.Errorf("number %d: %w", r.Number, err)
		}
	}
	return c, nil
}

// Load gives a copy of what is kept.
func (s *FileStore) Load(context.Context) (*Inventory, error) { return s.state.Clone(), nil }

// Save writes a change to the journal, and returns when it is on disk.
func (s *FileStore) Save(_ context.Context, c Change) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	before, err := s.journal.Seek(0, io.SeekCurrent)
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
	if err := writeWhole(s.path, text); err != nil {
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

// writeWhole writes a file so that whoever is killed meanwhile leaves the old one or the new one.
func writeWhole(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // the file is there; only its safety against a loss of power is not known
	}
	defer dir.Close()
	_ = dir.Sync() // not every file system can
	return nil
}
