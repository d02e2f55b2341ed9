package cli

import (
	"strconv"
)

func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func Qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func OrDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
