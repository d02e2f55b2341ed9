package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBrowser uses a page that takes keys, clicks and text, and that complains in every way in which a page may.
func TestBrowser(t *testing.T) {
	const page = `<!doctype html><input id=i><button id=b>x</button><script>
	b.onclick = () => { b.textContent = 'clicked'; };
	i.onkeydown = (e) => { if (e.key === 'Enter') i.value += '!'; };
	setTimeout(() => { console.error('first'); setTimeout(() => { window.later = true; }); throw new Error('second'); });
	fetch('http://127.0.0.1:9/third').catch(() => { window.asked = true; });
	</script>`
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	p := Start(t).Open(t, file, "window.later && window.asked")
	p.Click("b")
	p.Wait("b.textContent === 'clicked'")
	p.Press("Shift+Tab")
	p.Type("text")
	p.Press("Enter")
	if got := Ask[string](p, "Promise.resolve(i.value)"); got != "text!" {
		t.Errorf("the input has %q", got)
	}
	if png := p.Screenshot(); !strings.HasPrefix(string(png), "\x89PNG") {
		t.Error("the picture is no PNG")
	}
	said := strings.Join(p.Complaints(), "\n")
	for _, want := range []string{"first", "second", "request: http://127.0.0.1:9/third"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	p.WithoutScripts()
	if got := Ask[string](p, "b.textContent + (window.later ?? ' and no more')"); got != "x and no more" {
		t.Errorf("without scripts the page says %q", got)
	}
}
