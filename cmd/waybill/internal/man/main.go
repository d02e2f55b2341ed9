// Command man writes what a release ships beside the programs: a manual page for every command, and completion scripts.
//
//	man -output FOLDER -version VERSION -date DATE
//
// The same arguments give the same bytes. The pages have the date of the commit, and are compressed, as Debian wants them.
package main

import (
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/controller"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/root"
)

func main() {
	output := flag.String("output", "", "folder that is written; it gets folders man and completions")
	version := flag.String("version", "", "what the footer of the pages says")
	date := flag.String("date", "", "date of the pages, RFC 3339")
	flag.Parse()
	if err := run(*output, *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(output, version, date string) error {
	if output == "" {
		return errors.New("-output names no folder")
	}
	day, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return fmt.Errorf("-date: %w", err)
	}
	cmd := root.NewCommand(root.Parts{Controller: controller.NewCommand, OpenPorch: controller.OpenPorch})
	cmd.InitDefaultVersionFlag()
	return errors.Join(
		writePages(cmd, filepath.Join(output, "man"), page{version: version, date: day.UTC()}),
		writeCompletions(cmd, filepath.Join(output, "completions")),
	)
}

// writePages writes the page of a command, and those of all commands below it that help lists.
func writePages(cmd *cobra.Command, dir string, p page) error {
	cmd.InitDefaultHelpFlag()
	if err := writeCompressed(filepath.Join(dir, pageName(cmd)+".1.gz"), p.of(cmd)); err != nil {
		return err
	}
	for _, sub := range listed(cmd) {
		if err := writePages(sub, dir, p); err != nil {
			return err
		}
	}
	return nil
}

// writeCompressed leaves the header of the compressed file empty: no name, no time.
func writeCompressed(name string, content []byte) (err error) {
	file, err := create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return errors.Join(err, out.Close())
}

// writeCompletions names the scripts as shells look for them.
func writeCompletions(cmd *cobra.Command, dir string) error {
	for name, write := range map[string]func(*os.File) error{
		"waybill.bash": func(f *os.File) error { return cmd.GenBashCompletionV2(f, true) },
		"_waybill":     func(f *os.File) error { return cmd.GenZshCompletion(f) },
		"waybill.fish": func(f *os.File) error { return cmd.GenFishCompletion(f, true) },
		"waybill.ps1":  func(f *os.File) error { return cmd.GenPowerShellCompletionWithDesc(f) },
	} {
		file, err := create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := errors.Join(write(file), file.Close()); err != nil {
			return err
		}
	}
	return nil
}

func create(name string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil { // #nosec G301 -- published
		return nil, err
	}
	return os.Create(name) // #nosec G304 -- a folder that make names
}
