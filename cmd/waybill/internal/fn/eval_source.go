package fn

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

type evalSource struct {
	name   string         // in messages
	dir    string         // where results are written
	before pkgtree.Tree   // what dir holds
	stream *render.Stream // resources from stdin
}

// openSource reads stdin for "-", or a folder within limits, or one file as if it were alone in its folder. With stdin, the Kptfile to
// save to is that of the current directory.
func openSource(stdin io.Reader, dir string, save bool, limits pkgtree.Limits) (*evalSource, error) {
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
	s.before, err = pkgtree.ReadDir(dir, limits)
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

func (e *evalCommand) toNewDir() bool {
	return e.output != "" && e.output != "stdout" && e.output != "unwrap"
}

func (e *evalCommand) emit(stdout io.Writer, s *evalSource, result *render.Result) error {
	switch {
	case e.toNewDir():
		files, err := s.files(result)
		if err != nil {
			return err
		}
		return makeDir(e.output, files)
	case e.output == "unwrap":
		return cli.WriteList(stdout, e.output, &fn.List{Items: result.Items})
	case s.stream != nil:
		return cli.WriteList(stdout, e.output, &fn.List{Items: s.stream.Output(result.Items)})
	case e.output == "stdout":
		return cli.WriteList(stdout, e.output, &fn.List{Items: cli.PrintableItems(result.Items)})
	}
	return nil
}

func (s *evalSource) files(result *render.Result) (pkgtree.Tree, error) {
	if s.stream != nil {
		return render.Files(result.Items)
	}
	return resourceFiles(result)
}

// checkSave adds the config to the function as a Kptfile holds it. It refuses a function that a Kptfile cannot hold, and an
// unreadable Kptfile.
func (f *evalFunction) checkSave(job *evalJob, values []string) error {
	var err error
	if f.fnCfg != "" {
		if job.Function.ConfigPath, err = configPath(job.source.dir, f.fnCfg); err != nil {
			return err
		}
	}
	kind, data, err := parseValues(values)
	if err != nil {
		return err
	}
	if kind != configMap {
		return cli.Usagef("--save: a Kptfile holds arguments as a ConfigMap, not as kind %q; write them to a file for --fn-config", kind)
	}
	if len(data) > 0 {
		job.Function.ConfigMap = data
	}
	if text, ok := job.source.before.Get(kptfile.Name); ok {
		_, err = kptfile.Parse(kptfile.Name, text)
	}
	return err
}

// configPath returns the path of file relative to the package in dir, which must contain it.
func configPath(dir, file string) (string, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", cli.Usagef("--fn-config must be under %s if saving functions to Kptfile (--save=true)", dir)
	}
	return filepath.ToSlash(rel), nil
}

// saveTo adds the function to the Kptfile at the root of tree, and returns a message. Without a Kptfile it does nothing but
// return a message, as kpt does.
func (e *evalCommand) saveTo(tree pkgtree.Tree, job *evalJob) (after pkgtree.Tree, message string, err error) {
	text, ok := tree.Get(kptfile.Name)
	if !ok {
		return tree, "function not added: Kptfile not exists", nil
	}
	file, err := kptfile.Parse(kptfile.Name, text)
	if err != nil {
		return tree, "", err
	}
	list := map[string]kptfile.List{"mutator": kptfile.Mutators, "validator": kptfile.Validators}[e.list]
	verb := "Added"
	if file.SaveFunction(list, job.Function) {
		verb = "Updated"
	}
	if text, err = file.Bytes(); err != nil {
		return tree, "", err
	}
	after, err = tree.Apply(map[string][]byte{kptfile.Name: text})
	return after, fmt.Sprintf("%s %q as %s in the Kptfile.", verb, cli.FunctionName(&job.Function), e.list), err
}
