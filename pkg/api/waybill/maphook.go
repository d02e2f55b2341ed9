package waybill

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Kind is "cel", "function" or "webhook"; "" for an absent hook.
func (h *MapHook) Kind() string {
	if kinds := h.Kinds(); len(kinds) > 0 {
		return kinds[0]
	}
	return ""
}

// Kinds are all kinds that the hook names. A valid hook names one at most.
func (h *MapHook) Kinds() (kinds []string) {
	if h == nil {
		return nil
	}
	if h.CEL != nil {
		kinds = append(kinds, "cel")
	}
	if h.Function != nil {
		kinds = append(kinds, "function")
	}
	if h.Webhook != nil {
		kinds = append(kinds, "webhook")
	}
	return kinds
}

// Address is the URL of a webhook. The error does not quote it: it may hold a password.
func (w *Webhook) Address() (*url.URL, error) {
	text := w.URL
	if text == "" {
		if w.Path != "" && !strings.HasPrefix(w.Path, "/") {
			return nil, errors.New("want a path that begins with /")
		}
		text = w.Service.address() + w.Path
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("it is not valid in a URL")
	}
	if port := u.Port(); u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || port != "" && !isPort(port) {
		return nil, errors.New("want a host, and a port from 1 to 65535 if there is one")
	}
	return u, nil
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= 65535
}

func (s *WebhookService) address() string {
	protocol, port := "http", int32(80)
	if s.Protocol != nil {
		protocol = *s.Protocol
	}
	if s.Port != nil {
		port = *s.Port
	}
	return fmt.Sprintf("%s://%s.%s:%d", protocol, s.Name, s.Namespace, port)
}

// Given reports whether any field is given.
func (c *WebhookConnection) Given() bool { return *c != WebhookConnection{} }

// Scheme is Type, or its default.
func (a *WebhookAuthorization) Scheme() string { return cmp.Or(strings.TrimSpace(a.Type), "Bearer") }
