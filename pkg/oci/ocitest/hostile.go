package ocitest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// Answer answers a request in the place of a registry, and returns true; or it returns false, and the registry answers.
type Answer func(w http.ResponseWriter, r *http.Request) bool

// InMemory is a registry in this process.
func InMemory(t testing.TB) *Server {
	t.Helper()
	return Hostile(t, func(http.ResponseWriter, *http.Request) bool { return false })
}

// Hostile is a registry in this process that answers as the test says.
func Hostile(t testing.TB, answer Answer) *Server {
	t.Helper()
	honest := registry.New(registry.WithReferrersSupport(true), registry.Logger(log.New(io.Discard, "", 0)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answer(w, r) {
			honest.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return &Server{Host: strings.TrimPrefix(s.URL, "http://")}
}
