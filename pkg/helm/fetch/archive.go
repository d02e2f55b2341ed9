package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// check reads an archive once, and refuses one that is no chart of that name and version, or is too large unpacked.
func (f *Fetcher) check(a *Archive, name string) error {
	chart, err := Describe(a.Data, f.o.Limits.Content)
	switch {
	case err != nil:
		return err
	case chart.Name != name:
		return fmt.Errorf("the archive holds the chart %q", safetext.SingleLine(chart.Name, 60))
	case chart.Version != a.Version && a.Version != "":
		return fmt.Errorf("the archive holds version %q, and the repository calls it %q", safetext.SingleLine(chart.Version, 60), a.Version)
	}
	a.Version = chart.Version
	return nil
}

// Chart is what a Chart.yaml says of a chart.
type Chart struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Describe reads the Chart.yaml of an archive of at most limit bytes, unpacked. Every file must lie in one folder.
func Describe(archive []byte, limit int64) (*Chart, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, errors.New("it is no chart archive: it is not compressed by gzip")
	}
	bounded := &io.LimitedReader{R: unzipped, N: limit + 1}
	chart, err := describe(tar.NewReader(bounded))
	switch {
	case bounded.N <= 0:
		return nil, fmt.Errorf("the archive has more than %d bytes unpacked", limit)
	case err != nil:
		return nil, fmt.Errorf("the archive is broken: %w", err)
	case chart == nil:
		return nil, errors.New("it is no chart archive: it has no Chart.yaml")
	}
	return chart, nil
}

func describe(in *tar.Reader) (chart *Chart, err error) {
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return chart, nil
		}
		if err != nil {
			return nil, err
		}
		if err := checkName(h.Name); err != nil {
			return nil, err
		}
		if _, file, _ := strings.Cut(path.Clean(h.Name), "/"); file == "Chart.yaml" && h.Typeflag == tar.TypeReg {
			if chart, err = readChart(in); err != nil {
				return nil, err
			}
		}
	}
}

// checkName refuses a file out of the archive.
func checkName(name string) error {
	if path.IsAbs(name) || strings.Contains(name, `\`) || name == ".." || strings.HasPrefix(path.Clean(name), "../") {
		return fmt.Errorf("%q lies outside of it", safetext.SingleLine(name, 100))
	}
	return nil
}

// maxChartFile bounds a Chart.yaml.
const maxChartFile = 1 << 20

func readChart(in io.Reader) (*Chart, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxChartFile+1))
	if err != nil {
		return nil, err
	}
	docs, err := krm.Read("Chart.yaml", data, krm.Limits{Bytes: maxChartFile, Documents: 1})
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, errors.New("Chart.yaml: is empty")
	}
	chart := new(Chart)
	return chart, krm.DecodeLoose(docs[0].Node(), nil, chart)
}
