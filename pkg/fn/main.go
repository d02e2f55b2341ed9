package fn

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
)

// Exit codes of a function run as a program.
const (
	ExitOK      = 0
	ExitFailed  = 1 // a result has severity error; the list was still written
	ExitBadList = 2 // stdin held no ResourceList; nothing was written
)

// Main runs f as a program: ResourceList on stdin, ResourceList on stdout, messages on stderr.
func Main(f *Function) {
	os.Exit(f.Serve(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Serve is Main with arguments and streams of the caller; it returns the exit code.
func (f *Function) Serve(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return f.help(args, stdout, stderr)
	}
	l, err := ReadList(stdin)
	if err != nil {
		fmt.Fprintf(stderr, "error: %s: %v\n", f.Name, err)
		return ExitBadList
	}
	out := f.answer(ctx, l)
	data, err := (&List{APIVersion: l.APIVersion, Items: out.Items, Config: l.Config, Results: out.Results}).Write()
	if err == nil {
		_, err = stdout.Write(data)
	}
	if err != nil {
		fmt.Fprintf(stderr, "error: %s: write: %v\n", f.Name, err)
		return ExitFailed
	}
	for _, r := range out.Results {
		if r.Severity != sdk.Info {
			fmt.Fprintln(stderr, FormatResult(r))
		}
	}
	if out.Failed() {
		return ExitFailed
	}
	return ExitOK
}

// answer runs f over a list. A config that is no object is the user's fault, like one that cannot be decoded: a result,
// with the items unchanged.
func (f *Function) answer(ctx context.Context, l *List) *Output {
	in, err := receive(l.Items, l.Config)
	if err = cmp.Or(l.ConfigErr, err); err == nil {
		return f.Apply(ctx, in)
	}
	out := NewOutput(in)
	out.Results = errorResults(err, nil)
	return out
}

func (f *Function) help(args []string, stdout, stderr io.Writer) int {
	if slices.Contains([]string{"--help", "-h", "help"}, args[0]) {
		fmt.Fprintf(stdout, "%s\n\n%s\n", f.Doc.Short, f.Doc.Long)
		return ExitOK
	}
	fmt.Fprintf(stderr, "error: %s takes no arguments (got %q): it reads a ResourceList on stdin; see --help\n", f.Name, args[0])
	return ExitBadList
}

// FormatResult is a result on one line: severity, object, file, field, message.
func FormatResult(r *sdk.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] ", cmp.Or(r.Severity, sdk.Info))
	if ref := r.ResourceRef; ref != nil && ref.Kind != "" {
		b.WriteString(ref.Kind + " ")
		if ref.Namespace != "" {
			b.WriteString(ref.Namespace + "/")
		}
		b.WriteString(ref.Name + " ")
	}
	if r.File != nil && r.File.Path != "" {
		fmt.Fprintf(&b, "(%s) ", r.File.Path)
	}
	if r.Field != nil && r.Field.Path != "" && !strings.HasPrefix(r.Message, r.Field.Path) {
		b.WriteString(r.Field.Path + ": ")
	}
	b.WriteString(strings.ReplaceAll(r.Message, "\n", " "))
	return b.String()
}
