package auth

import (
	"strings"
	"testing"
)

func FuzzDescribe(f *testing.F) {
	for _, url := range []string{"https://me:p%40@git.example:8443/a/b.git", "https://git.example/x%0ahost=evil", "http://[::1]:80/%00", "https://a%0d@h/", "git@h:x", "https://h/?a=b\nc", "https://:@h"} {
		f.Add(url)
	}
	keys := []string{"protocol=", "host=", "path=", "username=", "password="}
	f.Fuzz(func(t *testing.T, url string) {
		d, err := describe(url)
		if d == nil {
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("an error is one line: %v", err)
			}
			return
		}
		text, err := d.encode()
		if err != nil {
			t.Fatalf("%q was described, and cannot be written: %v", url, err)
		}
		lines, ended := strings.CutSuffix(text, "\n\n")
		at := 0 // each key once, in order: no value made a line of its own
		for line := range strings.SplitSeq(lines, "\n") {
			for at < len(keys) && !strings.HasPrefix(line, keys[at]) {
				at++
			}
			if at++; at > len(keys) {
				t.Fatalf("%q makes the line %q", url, line)
			}
		}
		if !ended || !strings.Contains(text, "protocol=http") || strings.ContainsAny(text, "\r\x00") {
			t.Errorf("%q is described as %q", url, text)
		}
	})
}
