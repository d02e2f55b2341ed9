// Package lazyregexp has regular expressions that are compiled when they are first used: a program that starts for one
// command does not compile those of all others.
//
// Shape: New takes a constant expression; the methods are those of regexp.Regexp. Safe for concurrent use.
// Cost: the first use compiles, some 10 to 100 µs.
// Errors: none. The first use panics for an expression that is none; a test compiles all literals in pkg and cmd.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled when it is first used.
type Regexp struct{ get func() *regexp.Regexp }

// New returns a regular expression that is not compiled yet.
func New(expression string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString reports whether the text contains a match.
func (r *Regexp) MatchString(text string) bool { return r.get().MatchString(text) }

// Match reports whether the text contains a match.
func (r *Regexp) Match(text []byte) bool { return r.get().Match(text) }

// Find returns the first match.
func (r *Regexp) Find(text []byte) []byte { return r.get().Find(text) }

// FindString returns the first match.
func (r *Regexp) FindString(text string) string { return r.get().FindString(text) }

// FindAllString returns the first n matches, or all of them if n is negative.
func (r *Regexp) FindAllString(text string, n int) []string { return r.get().FindAllString(text, n) }

// FindAllStringSubmatch returns the first n matches with their groups, or all of them if n is negative.
func (r *Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return r.get().FindAllStringSubmatch(text, n)
}

// FindAllStringSubmatchIndex returns where the first n matches and their groups are, or all of them if n is negative.
func (r *Regexp) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(text, n)
}

// FindStringSubmatch returns the first match and its groups.
func (r *Regexp) FindStringSubmatch(text string) []string { return r.get().FindStringSubmatch(text) }

// ReplaceAllString replaces every match; $1 in the replacement is its first group.
func (r *Regexp) ReplaceAllString(text, with string) string {
	return r.get().ReplaceAllString(text, with)
}

// ReplaceAllStringFunc replaces every match by what f makes of it.
func (r *Regexp) ReplaceAllStringFunc(text string, f func(string) string) string {
	return r.get().ReplaceAllStringFunc(text, f)
}

// ReplaceAll replaces every match; $1 in the replacement is its first group.
func (r *Regexp) ReplaceAll(text, with []byte) []byte { return r.get().ReplaceAll(text, with) }

// ReplaceAllFunc replaces every match by what f makes of it.
func (r *Regexp) ReplaceAllFunc(text []byte, f func([]byte) []byte) []byte {
	return r.get().ReplaceAllFunc(text, f)
}

// Split cuts the text at the first n-1 matches, or at all of them if n is negative.
func (r *Regexp) Split(text string, n int) []string { return r.get().Split(text, n) }

// String is the expression.
func (r *Regexp) String() string { return r.get().String() }
