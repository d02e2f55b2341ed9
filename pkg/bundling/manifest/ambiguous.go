package manifest

import (
	"regexp"
	"strings"
)

// isAmbiguous reports whether some common reader takes a bare s for something else than text, by the
// types that YAML 1.1 had and the libraries that still read it: 12:30 is 750 to them, 0o_7 a number
// of sorts, = a default value. The words and numbers that an API server would mistake are for krm
// to know. Few strings begin as one of these does, so most are told at their first letter.
func isAmbiguous(s string) bool {
	if s == "" || strings.IndexByte("0123456789+-.=<", s[0]) < 0 {
		return false
	}
	return s == "=" || s == "<<" || numberOfYAML11.MatchString(s) || timeOfYAML11.MatchString(s)
}

var numberOfYAML11 = regexp.MustCompile(`^[-+]?(?:` + strings.Join([]string{
	`0[bB][01_]+`, `0[oO]?[0-7_]+`, `0[xX][0-9a-fA-F_]+`, // binary, octal, hexadecimal
	`[0-9][0-9_]*`,
	`[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?`, // sexagesimal
	`[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9_]+)?`, `\.[0-9_]+(?:[eE][-+]?[0-9_]+)?`,
}, "|") + `)$`)

var timeOfYAML11 = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}` +
	`(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]*)?[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?)?)?$`)
