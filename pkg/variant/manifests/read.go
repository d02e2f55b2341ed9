package manifests

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// readPath reads the objects of a file or, in path order, of the files below a folder; "-" is stdin.
func readPath(path string, stdin io.Reader) (objs []*krm.Object, err error) {
	if path == "-" {
		path = "stdin"
		objs, err = readAll(path, stdin)
	} else if info, statErr := os.Stat(path); statErr != nil {
		return nil, statErr
	} else if info.IsDir() {
		objs, err = readFolder(path)
	} else {
		objs, err = readFile(path)
	}
	if err == nil && len(objs) == 0 {
		err = noObjects(path)
	}
	return objs, err
}

func noObjects(name string) error {
	return fmt.Errorf("%s: there is no object; leave it out if that is intended", name)
}

func readFile(path string) ([]*krm.Object, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(path, f)
}

func readAll(name string, r io.Reader) ([]*krm.Object, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	objs, err := krm.Read(name, data, krm.Limits{})
	if err != nil {
		return nil, err
	}
	if len(objs) == 0 && !bytes.ContainsRune(data, '#') { // as while a program writes the file; a file of comments may be meant
		return nil, noObjects(name)
	}
	for _, o := range objs {
		if err := checkIdentity(o); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Source, err)
		}
	}
	return objs, nil
}

// checkIdentity refuses lists, and objects without a kind or name.
func checkIdentity(o *krm.Object) error {
	if workload.IsList(o) && workload.HoldsObjects(o) {
		return fmt.Errorf("a %s is not read; write each of its items as a document of its own", o.Kind())
	}
	var missing []string
	for _, f := range []struct{ name, value string }{{"apiVersion", o.APIVersion()}, {"kind", o.Kind()}, {"metadata.name", o.Name()}} {
		if f.value == "" {
			missing = append(missing, f.name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	for i := 0; i < len(o.Node().Content); i += 2 { // the parser skips the mark only where a document begins
		if name, marked := strings.CutPrefix(o.Node().Content[i].Value, "\ufeff"); marked {
			return fmt.Errorf("a byte order mark (U+FEFF) is in the field name %q; remove it", name)
		}
	}
	return fmt.Errorf("an object needs apiVersion, kind and metadata.name; this one lacks %s", strings.Join(missing, ", "))
}
