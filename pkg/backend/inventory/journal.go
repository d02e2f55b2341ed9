package inventory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// openJournal opens the journal with the mode of the inventory: who may write one may write the other.
func openJournal(at Files) (*os.File, error) {
	mode := os.FileMode(0o600)
	if info, err := os.Stat(at.File); err == nil {
		mode = info.Mode().Perm()
	}
	_, err := os.Stat(at.Journal)
	created := errors.Is(err, os.ErrNotExist)
	f, err := os.OpenFile(at.Journal, os.O_RDWR|os.O_CREATE, mode)
	if err == nil && created {
		err = f.Chmod(mode) // without the umask
	}
	return f, err
}

// replayJournal applies the journal and cuts off an unfinished line.
func (s *FileStore) replayJournal() error {
	whole, err := s.state.replay(s.journal)
	if err == nil {
		err = s.journal.Truncate(whole)
	}
	if err == nil {
		_, err = s.journal.Seek(whole, io.SeekStart)
	}
	return err
}

// replay applies the changes of a journal and returns their length. An unfinished last line was written by a process that was
// killed before it acted on it.
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
		return c, errors.New(safetext.SingleLine(err.Error(), table.MaxMessage))
	}
	if len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return c, errors.New("want one change")
	}
	return c, c.check()
}

// lock locks a file until it is closed: osfile.Exclusive for this process alone, Shared against writers. Where files cannot be
// locked, it does nothing.
func lock(f *os.File, kind osfile.Lock) error {
	if errors.Is(osfile.TryLock(f, kind), osfile.ErrLocked) {
		return errors.New("another process has it open")
	}
	return nil
}
