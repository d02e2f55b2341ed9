package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Page is one tab.
type Page struct {
	t       testing.TB
	b       *Browser
	session string
	url     string
}

// Open loads a file in a window of 1280 by 800, and waits until ready, an expression, is true.
func (b *Browser) Open(t testing.TB, file, ready string) *Page {
	t.Helper()
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{t: t, b: b, url: "file://" + filepath.ToSlash(abs)}
	var target struct{ TargetID string }
	var session struct{ SessionID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank", "width": 1280, "height": 800, "newWindow": true}, &target)
	p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	p.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		p.call(domain+".enable", nil, nil)
	}
	p.call("Page.navigate", map[string]any{"url": p.url}, nil)
	p.Wait("document.readyState === 'complete' && (" + ready + ")")
	return p
}

func (p *Page) call(method string, params, result any) {
	p.t.Helper()
	if err := p.b.call(p.session, method, params, result); err != nil {
		p.t.Fatal(err)
	}
}

// answer is the answer to Runtime.evaluate.
type answer struct {
	Result struct {
		Value json.RawMessage
	}
	ExceptionDetails *struct {
		Text      string
		Exception struct{ Description string }
	}
}

func (p *Page) evaluate(expression string) (answer, error) {
	var a answer
	err := p.b.call(p.session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &a)
	if err == nil && a.ExceptionDetails != nil {
		err = fmt.Errorf("%s: %s %s", expression, a.ExceptionDetails.Text, a.ExceptionDetails.Exception.Description)
	}
	return a, err
}

// Ask evaluates an expression, whose value may be a promise, and reads its value as JSON.
func Ask[T any](p *Page, expression string) (value T) {
	p.t.Helper()
	a, err := p.evaluate(expression)
	if err == nil && len(a.Result.Value) > 0 {
		err = json.Unmarshal(a.Result.Value, &value)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return value
}

// Wait waits until an expression is true. When the page is replaced meanwhile, it evaluates it again.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	look := "new Promise((done) => { let left = 1500; const look = () => ((" + expression + ") || left-- === 0 ? done(left >= 0) : " +
		"setTimeout(look, 20)); look(); })"
	for range 10 {
		a, err := p.evaluate(look)
		switch {
		case err == nil && string(a.Result.Value) == "true":
			return
		case err != nil && (strings.Contains(err.Error(), "context") || strings.Contains(err.Error(), "navigated")): // of the page before
			continue
		case err != nil:
			p.t.Fatal(err)
		}
		p.t.Fatalf("in 30 seconds this was never true: %s", expression)
	}
	p.t.Fatalf("the page is replaced again and again before this is true: %s", expression)
}

// codes are the key codes of keys other than characters.
var codes = map[string]int{"Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
	"ArrowRight": 39, "ArrowDown": 40, "Tab": 9}

// Press presses keys one after the other, by the names that browsers give them; Ctrl+ and then Shift+ may stand before a name.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		modifiers := 0
		if rest, ok := strings.CutPrefix(key, "Ctrl+"); ok {
			key, modifiers = rest, modifiers|2
		}
		if rest, ok := strings.CutPrefix(key, "Shift+"); ok {
			key, modifiers = rest, modifiers|8
		}
		down := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": codes[key], "modifiers": modifiers}
		if text := map[bool]string{true: "\r", false: key}[key == "Enter"]; len(text) == 1 {
			down["text"] = text
		}
		p.call("Input.dispatchKeyEvent", down, nil)
		p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key, "windowsVirtualKeyCode": codes[key],
			"modifiers": modifiers}, nil)
	}
}

// Type inserts text where the focus is.
func (p *Page) Type(text string) {
	p.t.Helper()
	p.call("Input.insertText", map[string]any{"text": text}, nil)
}

// Click clicks in the middle of the element that an expression is; of text in several lines, in that of the first.
func (p *Page) Click(expression string) {
	p.t.Helper()
	at := Ask[[2]float64](p, "(() => { const e = "+expression+"; e.scrollIntoView({block: 'nearest'}); "+
		"const r = e.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2]; })()")
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// Resize gives the window another size, in pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
}

// Prefer emulates a "dark" or "light" system, or a "print" medium; "" for neither.
func (p *Page) Prefer(scheme, medium string) {
	p.t.Helper()
	p.call("Emulation.setEmulatedMedia", map[string]any{"media": medium,
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// WithoutScripts loads the page again, and runs none of its scripts. Expressions can still be asked for.
func (p *Page) WithoutScripts() {
	p.t.Helper()
	p.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	p.call("Page.navigate", map[string]any{"url": p.url + "?"}, nil) // a new document; timers, which Wait uses, do not run in it
	for range 1500 {
		a, err := p.evaluate("location.search === '' && location.href.endsWith('?') && document.readyState === 'complete'")
		if err == nil && string(a.Result.Value) == "true" {
			return
		}
		<-time.After(20 * time.Millisecond)
	}
	p.t.Fatal("the page does not load without scripts in 30 seconds")
}

// Screenshot is the content of the window, a PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	return png
}

// Complaints are errors and warnings of the console, and requests for anything but the page itself.
func (p *Page) Complaints() (out []string) {
	p.b.mu.Lock()
	defer p.b.mu.Unlock()
	for _, m := range p.b.events[p.session] {
		var e struct {
			Type    string
			Entry   struct{ Level, Text string }
			Request struct{ URL string }
		}
		if json.Unmarshal(m.Params, &e) != nil {
			continue
		}
		url, _, _ := strings.Cut(e.Request.URL, "#")
		switch {
		case m.Method == "Runtime.exceptionThrown",
			m.Method == "Runtime.consoleAPICalled" && (e.Type == "error" || e.Type == "warning" || e.Type == "assert"):
			out = append(out, string(m.Params))
		case m.Method == "Log.entryAdded" && (e.Entry.Level == "error" || e.Entry.Level == "warning"):
			out = append(out, e.Entry.Text)
		case m.Method == "Network.requestWillBeSent" && strings.TrimSuffix(url, "?") != p.url:
			out = append(out, "request: "+e.Request.URL)
		}
	}
	return out
}
