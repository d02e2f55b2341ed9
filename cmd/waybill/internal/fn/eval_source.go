package fn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

// evalSource is where the resources come from.
type evalSource struct {
	name   string         // in messages
	dir    string         // where results are written
	before pkgtree.Tree   // what dir holds
	stream *render.Stream // resources from stdin
}

// openSource reads stdin for "-", or a folder, or one file as if it were alone in its folder. With stdin, the Kptfile to
// save to is that of the current directory.
func openSource(stdin io.Reader, dir string, save bool) (*evalSource, error) {
	if dir == "-" {
		return openStream(stdin, save)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	s := &evalSource{name: dir, dir: dir}
	if info.Mode().IsRegular() {
		s.dir = filepath.Dir(dir)
		s.before, err = readAlone(dir)
		return s, err
	}
	s.before, err = pkgtree.ReadDir(dir, render.InputFiles)
	return s, err
}

func openStream(stdin io.Reader, save bool) (*evalSource, error) {
	data, err := io.ReadAll(io.LimitReader(stdin, fn.MaxListBytes+1))
	if err == nil && len(data) > fn.MaxListBytes {
		err = fmt.Errorf("more than %d bytes", fn.MaxListBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("stdin: %w", err)
	}
	s := &evalSource{name: "stdin", dir: "."}
	if s.stream, err = render.ReadStream("stdin", data); err != nil || !save {
		return s, err
	}
	if info, err := os.Lstat(kptfile.Name); err == nil && info.Mode().IsRegular() {
		s.before, err = readAlone(kptfile.Name)
		return s, err
	}
	return s, nil
}

// readAlone returns a tree with only this file.
func readAlone(file string) (pkgtree.Tree, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return pkgtree.New(map[string][]byte{filepath.Base(file): data})
}

func (s *evalSource) eval(ctx context.Context, e render.Evaluation, opts render.Options) (*render.Result, error) {
	if s.stream != nil {
		return s.stream.Eval(ctx, e, opts)
	}
	return render.Eval(ctx, s.before, e, opts)
}

// write writes the result where --output says, and saves the function if asked to. It writes to one folder at once.
func (e *evalCommand) write(stdout, stderr io.Writer, job *evalJob, result *render.Result) error {
	s, after := job.source, job.source.before
	if e.output == "" && s.stream == nil {
		after = result.Tree
	}
	var message string
	if e.save {
		var err error
		if after, message, err = e.saveTo(after, job); err != nil {
			return err
		}
	}
	if err := e.emit(stdout, s, result); err != nil {
		return err
	}
	if err := pkgtree.WriteDir(s.dir, s.before, after); err != nil {
		return err
	}
	if message != "" {
		fmt.Fprintln(stderr, message)
	}
	return nil
}

// toNewDir reports whether --output names a directory.
func (e *evalCommand) toNewDir() bool {
	return e.output != "" && e.output != "stdout" && e.output != "unwrap"
}

// emit prints the result, or writes it to a new directory, as --output says.
func (e *evalCommand) emit(stdout io.Writer, s *evalSource, result *render.Result) error {
	var data []byte
	var err error
	switch {
	case e.toNewDir():
		files, err := s.files(result)
		if err != nil {
			return err
		}
		return makeDir(e.output, files)
	case e.output == "unwrap":
		data, err = krm.Write(result.Items)
	case e.output == "stdout" || s.stream != nil:
		data, err = (&fn.List{Items: s.forPrinting(result.Items)}).Write()
	}
	if err != nil {
		return err
	}
	if _, err = stdout.Write(data); err != nil {
		return errors.Join(errors.New("write to stdout"), err)
	}
	return nil
}

func (s *evalSource) files(result *render.Result) (pkgtree.Tree, error) {
	if s.stream != nil {
		return render.Files(result.Items)
	}
	return resourceFiles(result)
}

func (s *evalSource) forPrinting(items []*krm.Object) []*krm.Object {
	if s.stream != nil {
		return s.stream.Output(items)
	}
	return cli.PrintableItems(items)
}
