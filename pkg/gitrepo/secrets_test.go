package gitrepo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCredentialsDoNotShow(t *testing.T) {
	c := Credentials{Username: "u-s3cret", Password: "p-s3cret", BearerToken: "t-s3cret"}
	js, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v %s %q", c, c, c, &c), fmt.Sprintf("%+v", Options{Credentials: c}), string(js)} {
		if strings.Contains(s, "s3cret") {
			t.Errorf("a secret shows in %q", s)
		}
	}
}

// TestRefNameErrorHidesQuery holds that the error of a ref does not repeat the token that people put behind it.
func TestRefNameErrorHidesQuery(t *testing.T) {
	if err := checkRefName("v1?token=TOKEN"); err == nil || strings.Contains(err.Error(), "TOKEN") {
		t.Errorf("the error of a ref with a query: %v", err)
	}
}
