package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// parses takes one command line as it stands in a document: "waybill", a command, flags that the
// command has, and arguments that it takes. Redirections and what follows a pipe are the shell's.
func parses(line string) error {
	words := strings.Fields(regexp.MustCompile(`\s([<>|&;]|2>).*`).ReplaceAllString(line, ""))
	if len(words) == 0 || words[0] != "waybill" {
		return errors.New("it does not begin with waybill")
	}
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(words[1:])
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// documents are the Markdown files of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "dist", "testdata"}, d.Name()):
			return fs.SkipDir
		case filepath.Ext(file) == ".md":
			out = append(out, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDocumentsParse takes every command line in a shell block of a document at its word.
func TestDocumentsParse(t *testing.T) {
	seen := 0
	for _, file := range documents(t) {
		for _, language := range []string{"", "sh"} {
			for _, line := range slices.Concat(blocks(t, file, language)...) {
				line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
				if !strings.HasPrefix(line, "waybill ") {
					continue
				}
				seen++
				if err := parses(strings.ReplaceAll(line, "PATH…", "PATH")); err != nil {
					t.Errorf("%s: %q: %v", file, line, err)
				}
			}
		}
	}
	if seen < 9 {
		t.Errorf("only %d command lines were found in documents", seen)
	}
}

var span = regexp.MustCompile("`([^`\n]+)`")

// TestDocumentsName wants every command and flag that a document names in passing to exist:
// `waybill rpkg get|propose`, `--dry-run`. Flags of other programs stand beside their name.
func TestDocumentsName(t *testing.T) {
	commandsNamed, flagsNamed := 0, 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range span.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			words, err := strings.Fields(strings.ReplaceAll(m[1], `\|`, "|")), error(nil)
			switch {
			case len(words) == 0:
			case words[0] == "waybill" && len(words) > 1:
				commandsNamed++
				err = existsAll(words[1:])
			case regexp.MustCompile("^--[a-z]").MatchString(words[0]):
				flagsNamed++
				err = flagExists(words[0])
			}
			if err != nil {
				t.Errorf("%s: `%s`: %v", file, m[1], err)
			}
		}
	}
	if commandsNamed < 10 || flagsNamed < 5 {
		t.Errorf("only %d commands and %d flags were found in documents", commandsNamed, flagsNamed)
	}
}

// existsAll takes the words behind "waybill", alternatives apart: a|b.
func existsAll(words []string) error {
	for i, word := range words {
		alternatives := strings.Split(word, "|")
		if len(alternatives) == 1 || strings.HasPrefix(words[max(i-1, 0)], "-") {
			continue
		}
		for _, one := range alternatives {
			if err := existsAll(slices.Concat(words[:i], []string{one}, words[i+1:])); err != nil {
				return err
			}
		}
		return nil
	}
	return exists(words)
}

// exists wants the leading lowercase words to be a command, and all flags to be flags of it.
func exists(words []string) error {
	cmd := newRootCommand()
	for i, word := range words {
		sub, _, err := cmd.Find([]string{word})
		switch {
		case strings.HasPrefix(word, "-"):
			name := strings.Trim(word, "-[]…")
			if cmd.Flag(name) == nil && (len(name) != 1 || cmd.Flags().ShorthandLookup(name) == nil) && name != "help" {
				return fmt.Errorf("%s has no flag %q", cmd.CommandPath(), word)
			}
		case cmd.HasSubCommands() && word == strings.ToLower(word):
			if err != nil || sub == cmd {
				return fmt.Errorf("there is no command %q", strings.Join(words[:i+1], " "))
			}
			cmd = sub
		}
	}
	return nil
}

// othersFlags are flags of programs that documents speak of besides ours.
var othersFlags = []string{"--manifestLimit", "--truncate-output"}

func flagExists(word string) error {
	name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
	if slices.Contains(othersFlags, "--"+name) || name == "help" || name == "version" {
		return nil
	}
	for _, cmd := range commands() {
		if cmd.Flag(name) != nil {
			return nil
		}
	}
	return fmt.Errorf("no command has a flag %q", word)
}
