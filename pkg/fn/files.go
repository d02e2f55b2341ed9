package fn

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Files are files of a package: slash path from the folder of the package → bytes. Nothing in it may be changed.
type Files map[string][]byte

// FilesKind is the kind of the item that holds files of a package, in ConfigGroup and ConfigVersion. Waybill adds one to the
// input of a program; people may keep some in the package, for orchestrators that pass no files.
const FilesKind = "PackageFiles"

// InputOnly marks the item that an orchestrator adds to the input of a function, and which is no resource of the package.
const InputOnly = ReservedPrefix + "input-only"

// The most files that a function receives, and bytes of them together.
const (
	MaxFiles     = 50_000
	MaxFileBytes = 256 << 20
)

// packageFile is a file in an item. Content is its text; Base64 are its bytes if they are no plain text.
type packageFile struct {
	Path    string  `json:"path"`
	Content *string `json:"content,omitempty"`
	Base64  *string `json:"base64,omitempty"`
}

// PackageFiles returns the files that in holds: those handed over, and those in items of FilesKind. Paths count from
// PackageFolder(in); an item of a subpackage names files of that subpackage. The result must not be changed.
func PackageFiles(in *Input) (Files, error) {
	if !slices.ContainsFunc(in.Items, isFiles) {
		return in.Files, in.Files.Check()
	}
	files, folder := maps.Clone(in.Files), PackageFolder(in)
	if files == nil {
		files = Files{}
	}
	for _, o := range in.Items {
		if !isFiles(o) {
			continue
		}
		if err := files.add(o, strings.Trim(strings.TrimPrefix(packagePath(o), folder), "/")); err != nil {
			return nil, fmt.Errorf("%s: %w", o.Describe(), err)
		}
	}
	return files, files.Check()
}

func isFiles(o *krm.Object) bool { return o.Is(ConfigGroup, FilesKind) }

// PackageFolder is the folder of the package whose pipeline runs, from the root of the tree: that of the outermost Kptfile
// among the items, else that of the config, else the outermost one of the items.
func PackageFolder(in *Input) string {
	var kptfiles, all []string
	for _, o := range in.Items {
		if o.Is("kpt.dev", "Kptfile") {
			kptfiles = append(kptfiles, Folder(o))
		}
		all = append(all, packagePath(o))
	}
	switch {
	case len(kptfiles) > 0:
		return outermost(kptfiles)
	case in.Config != nil && in.Config.HasAnnotation(krm.PackagePathAnnotation):
		return packagePath(in.Config)
	case len(all) > 0:
		return outermost(all)
	}
	return ""
}

func packagePath(o *krm.Object) string {
	return strings.Trim(o.Annotation(krm.PackagePathAnnotation), "/")
}

func outermost(folders []string) string {
	return slices.MinFunc(folders, func(a, b string) int { return len(a) - len(b) })
}

// add adds the files of an item, which names them from folder on. Two contents of one file are an error.
func (f Files) add(o *krm.Object, folder string) error {
	var list []packageFile
	errs := UnknownFields(o, "files belong under files", "files")
	if n := o.Lookup("files"); n != nil {
		errs = append(errs, krm.DecodeErrors(n, field.NewPath("files"), &list)...)
	}
	if err := errs.ToAggregate(); err != nil {
		return err
	}
	for i, file := range list {
		at := field.NewPath("files").Index(i)
		data, err := file.bytes(at)
		if err != nil {
			return err
		}
		name := path.Join(folder, file.Path)
		if known, ok := f[name]; ok && string(known) != string(data) {
			return field.Invalid(at.Child("path"), file.Path,
				"the package has this file with another content; write this object again, or remove it")
		}
		f[name] = data
	}
	return nil
}

func (f *packageFile) bytes(at *field.Path) ([]byte, error) {
	switch {
	case !IsFilePath(f.Path) || f.Path == ".":
		return nil, field.Invalid(at.Child("path"), f.Path, "want the path of a file inside of the package, without ..")
	case f.Content != nil && f.Base64 != nil:
		return nil, field.Forbidden(at.Child("base64"), "content is set, too; remove one of them")
	case f.Content != nil:
		return []byte(*f.Content), nil
	case f.Base64 == nil:
		return nil, field.Required(at.Child("content"), "set content, or base64 for a file that is no text")
	}
	data, err := base64.StdEncoding.DecodeString(*f.Base64)
	if err != nil {
		return nil, field.Invalid(at.Child("base64"), f.Path, "is no base64: "+err.Error())
	}
	return data, nil
}

// Check returns an error if f is more than a function may receive.
func (f Files) Check() error {
	if len(f) > MaxFiles {
		return fmt.Errorf("it reads %d files of the package, more than the %d allowed", len(f), MaxFiles)
	}
	size := 0
	for _, data := range f {
		size += len(data)
	}
	if size > MaxFileBytes {
		return fmt.Errorf("the files of the package that it reads have %d bytes, more than the %d allowed", size, MaxFileBytes)
	}
	return nil
}

// IsFilePath reports whether p is a path inside of a package: relative, with slashes, without "..". "." is the package.
func IsFilePath(p string) bool {
	return fs.ValidPath(p) && !strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || r == '\\' })
}
