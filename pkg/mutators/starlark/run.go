package starlark

import (
	"errors"
	"fmt"
	"strings"

	star "go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// options are what the catalogue's interpreter allows, but for recursion, which knows no bound.
var options = &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}

const (
	mostSteps = 10_000_000 // a second or so
	mostLines = 100        // that are printed
	longLine  = 1000
)

// run runs the script over list, which it may change.
func (t *trial) run(list *star.Dict) error {
	file, err := options.Parse(t.script.name, t.script.source, 0)
	if err != nil {
		return err
	}
	m := &meter{left: mostWork}
	if err := rewrite(file); err != nil {
		return err
	}
	predeclared := m.builtins()
	predeclared["ctx"] = starlarkstruct.FromStringDict(starlarkstruct.Default, star.StringDict{
		"resource_list": list,
		"environment":   new(star.Dict), // none: output depends on input alone
	})
	program, err := star.FileProgram(file, predeclared.Has)
	if err != nil {
		return err
	}
	thread := &star.Thread{Name: t.script.name, Print: t.print}
	thread.SetMaxExecutionSteps(mostSteps)
	_, err = program.Init(thread, predeclared)
	return explain(err)
}

// print notes what the script prints.
func (t *trial) print(_ *star.Thread, line string) {
	if len(t.printed) < mostLines {
		t.printed = append(t.printed, strings.ToValidUTF8(line[:min(len(line), longLine)], ""))
	}
}

// explain puts the place in the script before an error that arose while it ran.
func explain(err error) error {
	var failed *star.EvalError
	if !errors.As(err, &failed) {
		return err
	}
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Line > 0 {
			return fmt.Errorf("%s: %s", at, failed.Msg)
		}
	}
	return err
}
