// Package browser drives a real Chromium, for checks of HTML pages.
//
// Shape: Start runs a headless browser until the test ends; Open loads a file; a Page evaluates expressions, and gets keys
// as from a keyboard. Complaints are errors and warnings of the page and its network requests.
// Cost: half a second for the browser, some milliseconds for each call.
// Errors: they fail the test. A call without an answer in a minute fails it, too.
// Source: Chrome DevTools Protocol, over the pipe of --remote-debugging-pipe.
package browser
