// Package apply executes a BackendPlan.
//
// Shape: Run sends one operation after the other through a Client, and has a Store save the inventory before each
// call. A Result says what became of every operation.
// Cost: one call and one save for each operation, more where the backend has the resource already.
// Errors: a call that fails is a Failure in the Result, and keeps no other operation from being tried, except those
// that need it. An error of Run means that nothing more could be done.
package apply
