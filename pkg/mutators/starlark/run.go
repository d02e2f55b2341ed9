package starlark

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// options are what the catalogue's interpreter allows.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}

const (
	mostSteps = 10_000_000 // a second or so
	mostLines = 100        // that are printed
	longLine  = 1000
)

// run runs the script over list, which it may change. When ctx ends, it ends with the next step.
func (t *execution) run(ctx context.Context, list *star.Dict) error {
	predeclared := t.meter.builtins()
	predeclared["ctx"] = starlarkstruct.FromStringDict(starlarkstruct.Default, star.StringDict{
		"resource_list": list,
		"environment":   new(star.Dict), // none: output depends on input alone
		"open_api":      newOpenAPI(t.meter),
	})
	program, err := t.compile(predeclared)
	if err != nil {
		return err
	}
	thread := &star.Thread{Name: t.script.name, Print: t.print, Load: t.meter.load}
	thread.SetMaxExecutionSteps(mostSteps)
	defer context.AfterFunc(ctx, func() { thread.Cancel("it was stopped") })()
	err = t.explain(start(program, thread, predeclared))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// compile makes a program of the script, in which every operation is paid for first.
func (t *execution) compile(predeclared star.StringDict) (*star.Program, error) {
	file, err := options.Parse(t.script.name, t.script.source, 0)
	if err != nil {
		return nil, err
	}
	if err := rewrite(file); err != nil {
		return nil, err
	}
	return star.FileProgram(file, predeclared.Has)
}

// start runs program. A panic by which the interpreter enforces a limit is an error of the script.
func start(program *star.Program, thread *star.Thread, predeclared star.StringDict) (err error) {
	defer func() {
		p := recover()
		if fault, ok := p.(runtime.Error); ok {
			panic(fault) // a bug, not a limit
		}
		if p != nil {
			err = fmt.Errorf("%s: the interpreter gave up: %v", thread.Name, p)
		}
	}()
	_, err = program.Init(thread, predeclared)
	return err
}

// print keeps a line that the script prints.
func (t *execution) print(_ *star.Thread, line string) {
	if len(t.printed) < mostLines {
		t.printed = append(t.printed, t.shown(line))
	}
}

// explain puts the position in the script before an error of its execution.
func (t *execution) explain(err error) error {
	var failed *star.EvalError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failed):
		return errors.New(t.shown(err.Error()))
	}
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Line > 0 {
			return fmt.Errorf("%s: %s", at, t.shown(failed.Msg))
		}
	}
	return errors.New(t.shown(failed.Msg))
}

// shown is a text without values of Secrets, and cut to a readable length.
func (t *execution) shown(text string) string {
	text = t.secrets.redact(text, longLine)
	return strings.ToValidUTF8(text[:min(len(text), longLine)], "")
}
