package oci_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci"
)

func TestParseReference(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for s, want := range map[string]oci.Reference{
		"oci://registry.example.com/bp/edge":                   {Registry: "registry.example.com", Repository: "bp/edge"},
		"oci://registry.example.com/bp/edge:v1":                {Registry: "registry.example.com", Repository: "bp/edge", Tag: "v1"},
		"oci://localhost:5000/edge:v1":                         {Registry: "localhost:5000", Repository: "edge", Tag: "v1"},
		"oci://localhost:5000/edge":                            {Registry: "localhost:5000", Repository: "edge"},
		"oci://registry.example.com/edge@" + digest:            {Registry: "registry.example.com", Repository: "edge", Digest: digest},
		"oci://registry.example.com/edge:v1.2@" + digest:       {Registry: "registry.example.com", Repository: "edge", Tag: "v1.2", Digest: digest},
		"oci://127.0.0.1:5000/a/b/c:latest":                    {Registry: "127.0.0.1:5000", Repository: "a/b/c", Tag: "latest"},
		"oci://registry.example.com/bp/edge:v1-rc.1_2":         {Registry: "registry.example.com", Repository: "bp/edge", Tag: "v1-rc.1_2"},
		"oci://registry.example.com:443/bp/edge:" + digest[7:]: {Registry: "registry.example.com:443", Repository: "bp/edge", Tag: digest[7:]},
	} {
		got, err := oci.ParseReference(s)
		if err != nil || got != want || got.String() != s {
			t.Errorf("%s: got %+v (%s), %v", s, got, got, err)
		}
	}
	for s, want := range map[string]string{
		"https://registry.example.com/edge:v1":          "want oci://HOST/REPOSITORY",
		"oci://":                                        "want oci://HOST/REPOSITORY",
		"oci://registry.example.com":                    "want oci://HOST/REPOSITORY",
		"oci://edge:v1":                                 "want oci://HOST/REPOSITORY",
		"oci://registry.example.com/Edge:v1":            "want oci://HOST/REPOSITORY",
		"oci://registry.example.com/../edge":            "want oci://HOST/REPOSITORY",
		"oci://registry.example.com/edge:":              `"" is no tag`,
		"oci://registry.example.com/edge:a b":           `"a b" is no tag`,
		"oci://registry.example.com/edge@sha256:0A":     "is no digest",
		"oci://registry.example.com/edge@":              "is no digest",
		"oci://porter:s3cr3t@registry.example.com/edge": "the URL holds credentials",
	} {
		if _, err := oci.ParseReference(s); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: want %q, got %v", s, want, err)
		}
	}
}
