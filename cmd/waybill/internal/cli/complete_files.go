package cli

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// CompleteRest completes the flags and arguments, of cmd and all commands below it, that have no completion yet, by the word
// that help has for their values: folders for DIR, files for FILE and PATH, and nothing for others.
func CompleteRest(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, done := cmd.GetFlagCompletionFunc(f.Name); !done && f.Value.Type() != "bool" {
			registerCompletion(cmd, f.Name, cobra.FixedCompletions(nil, directiveOf(f)))
		}
	})
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		CompleteRest(sub)
	}
}

func directiveOf(f *pflag.Flag) cobra.ShellCompDirective {
	switch value, _ := pflag.UnquoteUsage(f); value {
	case "DIR":
		return cobra.ShellCompDirectiveFilterDirs
	case "FILE", "PATH":
		return cobra.ShellCompDirectiveDefault
	}
	return cobra.ShellCompDirectiveNoFileComp
}

// objectFiles are the endings of files with objects.
var objectFiles = []cobra.Completion{"yaml", "yml", "json"}

// CompleteObjectFiles completes a flag by folders and files with objects.
func CompleteObjectFiles(cmd *cobra.Command, flag string) {
	registerCompletion(cmd, flag, cobra.FixedCompletions(objectFiles, cobra.ShellCompDirectiveFilterFileExt))
}

// CompleteFolders completes by all folders.
func CompleteFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// CompleteOutput completes a flag by stdout and unwrap, or folders.
func CompleteOutput(cmd *cobra.Command, flag string) {
	registerCompletion(cmd, flag, OrFolders(Complete(func(context.Context, []string, string) ([]Proposal, error) {
		return Texts("stdout", "unwrap"), nil
	}, cobra.ShellCompDirectiveNoFileComp)))
}

// CompletePackages completes by the folders of packages.
func CompletePackages(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return OrFolders(Complete(FindPackages, cobra.ShellCompDirectiveNoFileComp))(cmd, args, word)
}

// CompletePackageFlags completes flags by the folders of packages.
func CompletePackageFlags(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		registerCompletion(cmd, flag, CompletePackages)
	}
}

// OrFolders completes by all folders where there is no proposal: a shell also knows ~, links, and names with spaces.
func OrFolders(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		found, directive := complete(cmd, args, word)
		if len(found) == 0 {
			directive = cobra.ShellCompDirectiveFilterDirs
		}
		return found, directive
	}
}

// mostFolders is how many folders are searched for packages.
const mostFolders = 5000

// FindPackages finds the packages below the folder that word begins with, for half of the time. It follows no links.
func FindPackages(ctx context.Context, _ []string, word string) ([]Proposal, error) {
	f := packageFinder{above: word[:strings.LastIndex(word, "/")+1], word: word, folders: mostFolders}
	if end, bounded := ctx.Deadline(); bounded {
		f.end = time.Now().Add(time.Until(end) / 2)
	}
	f.root = filepath.Clean(f.above + ".")
	err := filepath.WalkDir(f.root, f.visit)
	return f.found, err
}

type packageFinder struct {
	root        string // the folder that is searched
	above, word string // as typed: above is word without its last name
	folders     int    // how many may still be searched
	end         time.Time
	found       []Proposal
}

func (f *packageFinder) visit(file string, d fs.DirEntry, err error) error {
	switch {
	case d == nil:
		return err // there is no such folder
	case !d.IsDir():
		return nil
	case f.folders == 0 || !f.end.IsZero() && time.Now().After(f.end):
		return fs.SkipAll
	}
	f.folders--
	inside, bad := filepath.Rel(f.root, file)
	name := f.above + filepath.ToSlash(inside)
	if err != nil || bad != nil || inside != "." && (strings.HasPrefix(d.Name(), ".") || !strings.HasPrefix(name, f.word)) {
		return fs.SkipDir
	}
	if _, none := os.Lstat(filepath.Join(file, kptfile.Name)); none == nil && (inside != "." || f.above == "") {
		f.found = append(f.found, Proposal{Text: name})
	}
	return nil
}
