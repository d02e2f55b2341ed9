package fn

import "context"

// Callee is a function that another function calls: a program, or an image.
type Callee struct{ Exec, Image string }

// Caller runs functions for a function that calls others, by the rules of its own runner.
type Caller interface {
	// Check is the reason why a function can never be called; nil when it can.
	Check(Callee) error
	// Call runs a function. A failure is in its results; an error is that it could not be run.
	Call(context.Context, Callee, *Input) (*Output, error)
}

type callerKey struct{}

// WithCaller is ctx for a function that may call others.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf is the Caller of a function that may call others; nil for other functions.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
