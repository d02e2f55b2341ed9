// Package validation checks the meaning of the kinds of API group waybill.dev.
//
// Shape: a decoded value in, a field.ErrorList out: every fault at once, each at its own path, in the order of the
// fields. It needs only the value. Templates, expressions and paths into objects are checked when they are
// compiled.
// Cost: one walk over the value. Regular expressions are parsed, not compiled.
// Errors: values that may hold a password are not repeated.
// Source: the markers of the types, which API servers enforce; files pass no API server.
package validation
