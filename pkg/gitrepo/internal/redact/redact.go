// Package redact takes what may be a secret out of addresses and names that users type, for messages.
//
// Shape: text in, text out; text without a secret is returned as it is.
// Cost: the length of the text.
// Errors: none; a text that may be read in two ways is hidden.
// Source: RFC 3986 for URLs, Git documentation for the short form of SSH addresses.
package redact

import (
	"net/url"
	"strings"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// URL returns raw, the address of a repository or package, without what may be a secret: the user and password that a URL
// carries, and a query or fragment, where people put tokens. Scheme, host, path and a ref behind an @ stay. A secret with
// the wrong characters breaks a URL: what could be one is left out, and where nothing tells the two apart, so is the rest.
func URL(raw string) string {
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return other(raw)
	}
	host, path, found := strings.Cut(rest, "/")
	if host = atSigns.Replace(host); found {
		host += "/"
	}
	return scheme + "://" + redactRest(host+path)
}

// atSigns makes an "@" of what stands for one by mistake where a host begins, so that what comes before it is hidden.
var atSigns = strings.NewReplacer("%40", "@", "＠", "@", "﹫", "@")

// redactRest is URL for what follows the scheme.
func redactRest(rest string) string {
	if cut := strings.IndexAny(rest, "?#"); cut >= 0 {
		head, tail := rest[:cut], rest[cut:]
		there, behind := isAddress(behindAt(head)), isAddress(behindAt(tail))
		switch {
		case !strings.Contains(tail, "@"), there && !behind:
			rest = head
		case behind && !there: // the ? or # is in a password
			rest = withoutQuery(behindAt(tail))
		default:
			return "…"
		}
	}
	at := strings.LastIndex(rest, "@")
	if at < 0 {
		return rest
	}
	before, after := rest[:at], rest[at+1:]
	address := behindAt(before)
	_, broken := url.Parse("https://" + rest)
	switch {
	case !strings.Contains(before, "/"): // what is before the host is all there is
		return after
	case broken == nil && isAddress(address) && !isAddress(after):
		return address + "@" + after
	case strings.Contains(after, "/"):
		return after
	}
	return "…@" + after
}

func withoutQuery(s string) string {
	if cut := strings.IndexAny(s, "?#"); cut >= 0 {
		return s[:cut]
	}
	return s
}

// behindAt is what is behind the last @, or all where there is none.
func behindAt(s string) string { return s[strings.LastIndex(s, "@")+1:] }

// address is a host and a path; the path of a host without dots has to name a repository by its suffix.
var address = lazyregexp.New(`^(?:(?:[\w-]+\.[\w.-]*|localhost|\[[0-9a-fA-F:.]+\])(?::[0-9]+)?/|[\w-]+(?::[0-9]+)?/.*\.git(?:/|$))`)

// scpPackage is a package in a repository as SSH's short form names it, with a ref.
var scpPackage = lazyregexp.New(`^[\w-]+@[\w.-]+:[^@:]*\.git(?:/[^@:]*)?@`)

func isAddress(s string) bool { return address.MatchString(s) }

// Ref returns the name of a ref up to a question mark: no ref has one, and people put tokens behind it.
func Ref(name string) string {
	if before, _, query := strings.Cut(name, "?"); query {
		return before + "?…"
	}
	return name
}

// mistyped matches what is meant for a URL and is none.
var mistyped = lazyregexp.New(`^\s*(?i:(?:https?|ssh|ftp|file):|https?[/\\]{2})`)

// IsMistyped reports whether raw is meant for a URL and is none.
func IsMistyped(raw string) bool { return mistyped.MatchString(raw) }

// other is URL for what is no URL: a path, SSH's short form, or a URL that is mistyped. "git@" before a host is a
// name and tells nothing.
func other(raw string) string {
	if scpPackage.MatchString(raw) {
		return withoutQuery(raw)
	}
	isURL := mistyped.MatchString(raw)
	if isURL {
		raw = atSigns.Replace(raw)
	}
	at := strings.LastIndex(raw, "@")
	before, after := raw[:max(at, 0)], raw[at+1:]
	out := raw
	if at >= 0 && (strings.Contains(before, ":") || isURL || strings.HasPrefix(raw, "//") ||
		strings.ContainsAny(before, `/\`) && strings.Contains(after, ":")) {
		out = after
	}
	if strings.HasPrefix(raw, "/") || strings.HasPrefix(raw, ".") { // a path may have these in it
		return out
	}
	if cut := strings.Index(out, "?"); cut >= 0 {
		out = out[:cut]
	}
	if cut := strings.Index(out, "#"); cut >= 0 && strings.Contains(raw, ":") {
		out = out[:cut]
	}
	return out
}
