package fn

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Object returns an item of FilesKind that holds f.
func (f Files) Object(objectName string) (*krm.Object, error) {
	list := make([]packageFile, 0, len(f))
	for _, name := range slices.Sorted(maps.Keys(f)) {
		text := string(f[name])
		file := packageFile{Path: name, Content: &text}
		if !isPlain(text) {
			encoded := base64.StdEncoding.EncodeToString(f[name])
			file = packageFile{Path: name, Base64: &encoded}
		}
		list = append(list, file)
	}
	files, err := krm.NodeOf(list)
	if err != nil {
		return nil, err
	}
	o := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode(ConfigGroup+"/"+ConfigVersion),
		krm.StringNode("kind"), krm.StringNode(FilesKind),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode(objectName)),
		krm.StringNode("files"), files))
	o.SetAnnotation(krm.LocalConfigAnnotation, "true")
	return o, nil
}

// HandOver returns the items that a program receives: those of in, and one with the files of in.
func (in *Input) HandOver() ([]*krm.Object, error) {
	if len(in.Files) == 0 {
		return in.Items, nil
	}
	o, err := in.Files.Object("package-files")
	if err != nil {
		return nil, err
	}
	o.SetAnnotation(InputOnly, "true")
	return append(slices.Clone(in.Items), o), nil
}

// receive is the reverse of HandOver.
func receive(items []*krm.Object, config *krm.Object) (*Input, error) {
	in := &Input{Items: WithoutInputOnly(items), Config: config}
	if len(in.Items) == len(items) {
		return in, nil
	}
	in.Files = Files{}
	for _, o := range items {
		if isInputOnly(o) {
			if err := in.Files.add(o, ""); err != nil {
				return in, fmt.Errorf("%s: %w", o.Describe(), err)
			}
		}
	}
	return in, nil
}

// WithoutInputOnly returns items without those that are no resources of the package.
func WithoutInputOnly(items []*krm.Object) []*krm.Object {
	if !slices.ContainsFunc(items, isInputOnly) {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), isInputOnly)
}

// isInputOnly reports whether an orchestrator added o: an item of the package has a path.
func isInputOnly(o *krm.Object) bool {
	return isFiles(o) && o.HasAnnotation(InputOnly) && FilePath(o) == ""
}

// isPlain reports whether every YAML library returns text as it was written.
func isPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && r != ' ' && !unicode.IsPrint(r)
	})
}
