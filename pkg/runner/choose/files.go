package choose

import (
	"path"

	"github.com/distribution/reference"
	"github.com/google/shlex"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// reader is a Runner of a program that reads files of the package.
type reader struct {
	runner.Runner
	function *fn.Function
}

// Identity implements runner.Identified.
func (r reader) Identity() string {
	if known, ok := r.Runner.(runner.Identified); ok {
		return known.Identity()
	}
	return ""
}

// FilePaths implements runner.FileReader.
func (r reader) FilePaths(config *krm.Object) ([]string, error) { return r.function.Files(config) }

// withFiles is run, with the files that the function of ours reads which the program or the image is.
func withFiles(run runner.Runner, f *kptfilev1.Function) runner.Runner {
	own := named(f)
	if own == nil || own.Files == nil || f.Exec == "" && catalog.IsCatalogue(f.Image) {
		return run
	}
	return reader{run, own}
}

// ReadsFiles reports whether f may be a function of ours, by its name, that reads files of the package.
func ReadsFiles(f *kptfilev1.Function) bool {
	own := named(f)
	return own != nil && own.Files != nil
}

// named is the function of ours that has the name of the program or the image.
func named(f *kptfilev1.Function) *fn.Function {
	if f.Exec != "" {
		argv, err := shlex.Split(f.Exec)
		if err != nil || len(argv) == 0 {
			return nil
		}
		return catalog.ByName(path.Base(argv[0]))
	}
	ref, err := reference.ParseNormalizedNamed(f.Image)
	if err != nil {
		return nil
	}
	return catalog.ByName(path.Base(reference.Path(ref)))
}
