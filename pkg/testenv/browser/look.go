package browser

import (
	"os"
	"path/filepath"
)

// Keep takes a picture, and saves it where WAYBILL_ARTIFACTS says, if it says anything.
func (p *Page) Keep(name string) []byte {
	p.t.Helper()
	png := p.Screenshot()
	if dir := os.Getenv("WAYBILL_ARTIFACTS"); dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- people look at artifacts
			p.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil { // #nosec G306 -- likewise
			p.t.Fatal(err)
		}
	}
	return png
}

// contrasts is the beginning of Contrast and Faint: the elements with text, and by what an element stands out from its background.
const contrasts = `
  const light = (c) => {
    const [r, g, b] = c.match(/[\d.]+/g).map(Number).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (c !== 'rgba(0, 0, 0, 0)') return c;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [...document.querySelectorAll('body *')]
    .filter((e) => e.tagName !== 'SCRIPT' && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
  const contrast = (e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
`

// Contrast is an expression: true when every text stands out from its background by 4.5 to 1, and there are more than ten.
const Contrast = `(() => {` + contrasts + `
  return texts.length > 10 && texts.every((e) => contrast(e) >= 4.5);
})()`

// Faint is an expression: the texts in sight that do not stand out from their background by 4.5 to 1, with what they are.
const Faint = `(() => {` + contrasts + `
  return texts.filter((e) => e.getClientRects().length > 0 && contrast(e) < 4.5)
    .map((e) => e.className + ': ' + e.textContent.slice(0, 40));
})()`
