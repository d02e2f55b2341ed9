package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// CompletionTimeVariable names the environment variable with the longest time of one completion.
const CompletionTimeVariable = "WAYBILL_COMPLETION_TIMEOUT"

const (
	defaultCompletionTime = 300 * time.Millisecond
	mostProposals         = 2000
)

// Proposal is a text that may come next on the command line.
type Proposal struct{ Text, About string }

// Find finds proposals for the word that the user began, behind args. It reads only what is on this machine: it writes
// nothing, and uses neither the network nor stdin. What it returns need not begin with word.
type Find func(ctx context.Context, args []string, word string) ([]Proposal, error)

// Complete returns the function of cobra that proposes what find finds in time. An error only goes to cobra's debug file: it
// would stand in the middle of the command line.
func Complete(find Find, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeoutCause(cmd.Context(), completionTime(os.Getenv), errors.New("it took too long"))
		defer cancel()
		found, err := Await(ctx, func() ([]Proposal, error) { return find(ctx, args, word) })
		if err != nil {
			cobra.CompDebugln(safetext.Visible("no completion: "+err.Error()), false)
		}
		return proposals(found, word), directive
	}
}

func completionTime(getenv func(string) string) time.Duration {
	if d, err := time.ParseDuration(getenv(CompletionTimeVariable)); err == nil && d > 0 {
		return d
	}
	return defaultCompletionTime
}

// proposals returns those that begin with word, sorted, each once.
func proposals(found []Proposal, word string) (out []cobra.Completion) {
	slices.SortStableFunc(found, func(a, b Proposal) int { return cmp.Compare(a.Text, b.Text) })
	last := ""
	for _, p := range found {
		if p.Text == last || !strings.HasPrefix(p.Text, word) || !isPlainWord(p.Text) || len(out) == mostProposals {
			continue
		}
		if last = p.Text; p.About != "" {
			p.Text = cobra.CompletionWithDesc(p.Text, safetext.SingleLine(safetext.Visible(p.About), 80))
		}
		out = append(out, p.Text)
	}
	return out
}

// isPlainWord reports whether a shell takes the text as one word and nothing else, and a command does not take it as a flag.
// Names of files, branches and objects may hold anything, and a shell inserts a proposal as it is.
func isPlainWord(text string) bool {
	for i, r := range text {
		safe := unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("./_@", r) || i > 0 && strings.ContainsRune("-:+=,%~^#", r)
		if !safe || r == unicode.ReplacementChar {
			return false
		}
	}
	return text != "" && !strings.HasPrefix(text, "_activeHelp_") // which cobra prints
}

// Texts are proposals without a description.
func Texts(texts ...string) (out []Proposal) {
	for _, text := range texts {
		out = append(out, Proposal{Text: text})
	}
	return out
}

// CompleteFlag has find complete the values of a flag. In a list with commas, find completes the last entry.
func CompleteFlag(cmd *cobra.Command, flag string, find Find, directive cobra.ShellCompDirective) {
	if f := cmd.Flags().Lookup(flag); f != nil && f.Value.Type() == "stringSlice" {
		find = lastOfList(find)
	}
	registerCompletion(cmd, flag, Complete(find, directive))
}

// CompleteChoices completes the values of a flag that has a fixed list of them.
func CompleteChoices(cmd *cobra.Command, flag string, values ...string) {
	find := func(context.Context, []string, string) ([]Proposal, error) { return Texts(values...), nil }
	CompleteFlag(cmd, flag, find, cobra.ShellCompDirectiveNoFileComp)
}

func lastOfList(find Find) Find {
	return func(ctx context.Context, args []string, word string) ([]Proposal, error) {
		before := word[:strings.LastIndex(word, ",")+1]
		found, err := find(ctx, args, word[len(before):])
		for i := range found {
			found[i].Text = before + found[i].Text
		}
		return found, err
	}
}

func registerCompletion(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag was just added
	}
}

// CompleteFirst completes only the first argument, or the first and second and so on, each by a function of its own.
func CompleteFirst(each ...cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(each) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return each[len(args)](cmd, args, word)
	}
}

// FindBackends finds the built-in tables of backends.
func FindBackends(context.Context, []string, string) ([]Proposal, error) {
	return Texts(table.BuiltinNames()...), nil
}

// CompleteBackends completes a flag by the built-in tables of backends, or files.
func CompleteBackends(cmd *cobra.Command, flag string) {
	CompleteFlag(cmd, flag, FindBackends, cobra.ShellCompDirectiveDefault)
}

// FindFunctions finds the linked functions that are not among args.
func FindFunctions(_ context.Context, args []string, _ string) (out []Proposal, err error) {
	for _, f := range catalog.Functions {
		if !slices.Contains(args, f.Name) {
			out = append(out, Proposal{f.Name, f.Doc.Short})
		}
	}
	return out, nil
}
