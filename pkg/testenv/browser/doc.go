// Package browser drives a real Chromium, for checks of pages that people use.
//
// Shape: Start runs a browser without a window that ends with the test; Open loads a file; a Page is asked by expressions,
// and gets keys as from a keyboard. What the page complains of, and whatever it asks of a network, is kept: Complaints.
// Cost: half a second for the browser, some milliseconds for each question.
// Errors: they fail the test. A question that is not answered in a minute fails it, too.
// Source: Chrome DevTools Protocol, over the pipe of --remote-debugging-pipe.
package browser
