package backend_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
)

// spelled are ways in which an answer may repeat what was sent.
func spelled(t testing.TB, secret string) map[string]string {
	t.Helper()
	asJSON, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	inside := string(asJSON[1 : len(asJSON)-1])
	var latin []rune
	for _, b := range []byte(secret) {
		latin = append(latin, rune(b))
	}
	percent := ""
	for _, b := range []byte(secret) {
		percent += fmt.Sprintf("%%%02x", b)
	}
	return map[string]string{
		"as it is": secret, "JSON": inside, "JSON with slashes escaped": strings.ReplaceAll(inside, "/", `\/`),
		"ASCII": strings.Trim(strconv.QuoteToASCII(secret), `"`), "JSON in capitals": strings.ReplaceAll(strings.ToUpper(inside), `\U`, `\u`),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "percent": percent, "HTML": html.EscapeString(secret), "Latin-1": string(latin),
		"Basic": base64.StdEncoding.EncodeToString([]byte("me:" + secret)),
	}
}

func TestNoSecretIsRepeated(t *testing.T) {
	for name, secret := range map[string]string{
		"base64": "abc/def+ghi==", "markup": "P&SS<W>RD9", "quotes": `PA"SS\WORD'`, "letters": "TÖK-S3CR3T", "far away": "T\U0001F600K",
		"blanks": "A B  C", "backslashes": `\\N\\`, "percent": "%41%", "one": "Q",
	} {
		secret = strings.ReplaceAll(secret, `\U0001F600`, "\U0001F600")
		for way, text := range spelled(t, secret) {
			if way == "JSON in capitals" && strings.ToUpper(secret) != secret {
				continue
			}
			for _, body := range []string{"it was " + text + ".", strings.Repeat(" ", 1<<20-len(text)/2) + text} {
				s := serve(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, http.StatusUnprocessableEntity) })
				got := applyOne(t, "type: Basic", httpclient.Config{URL: s.URL, Username: "me", Password: httpclient.Secret(secret)}, apply.Options{})
				for from := range text {
					part := text[from:min(from+4, len(text))]
					if len(text) >= 4 && len(part) == 4 && strings.Contains(got, part) {
						t.Errorf("%s, %s: %q is in %s", name, way, part, got)
						break
					}
				}
				if strings.HasPrefix(body, "it was") && !strings.Contains(got, "it was (hidden). ") {
					t.Errorf("%s, %s: %s", name, way, got)
				}
			}
		}
	}
}
