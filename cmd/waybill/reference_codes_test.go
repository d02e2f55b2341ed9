package main

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	exitParagraph = regexp.MustCompile(`(?s)Exit codes(: | are ).*?(\n\n|$)`)
	exitCode      = regexp.MustCompile(`(?:[:;,] |with )(\d+) [a-z]`)
)

// TestReferenceExitCodes holds the page of exit codes to their constants, and to what commands say in their help.
func TestReferenceExitCodes(t *testing.T) {
	src := goSources{t: t, set: token.NewFileSet(), errorf: t.Errorf}
	codes := constantsOf(src.parse("cmd/waybill/internal/cli/errors.go"))
	var known []string
	var page strings.Builder
	page.WriteString("# Exit codes\n\n" + generatedPage + "| code | means |\n|---|---|\n")
	for _, name := range []string{"ExitDone", "ExitFailed", "ExitUsage", "ExitRefused"} {
		known = append(known, codes[name].value)
		fmt.Fprintf(&page, "| %s | %s |\n", codes[name].value, codes[name].meaning(t, name))
	}
	if len(codes) != len(known) {
		t.Errorf("there are %d exit codes, and the page has %d", len(codes), len(known))
	}
	page.WriteString("\nA command that a signal ends fails with 1. These commands say more about their codes:\n\n| command | codes |\n|---|---|\n")
	for _, cmd := range commands() {
		text := strings.Join(strings.Fields(exitParagraph.FindString(cmd.Long)), " ")
		for _, m := range exitCode.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s: there is no exit code %s: %s", cmd.CommandPath(), m[1], text)
			}
		}
		for flag, want := range map[string]string{"exit-code": "With --exit-code: 0 ", "max-clusters": "3 refused"} {
			if cmd.Flag(flag) != nil && !strings.Contains(text, want) {
				t.Errorf("%s has the flag --%s, and its help about exit codes lacks %q: %q", cmd.CommandPath(), flag, want, text)
			}
		}
		if text != "" && cmd.HasParent() {
			text = strings.TrimPrefix(strings.TrimPrefix(text, "Exit codes: "), "Exit codes are ")
			fmt.Fprintf(&page, "| `%s` | %s |\n", cmd.CommandPath(), strings.ReplaceAll(text, "|", `\|`))
		}
	}
	checkGolden(t, "../../docs/reference/exit-codes.md", page.String())
}

// environment says what variables are for. A variable that Go, client-go or cobra reads is of a library: its name is not in our code.
var environment = []struct {
	name, does string
	library    bool
}{
	{"WAYBILL_CACHE_DIR", "the folder of the caches (default: `waybill` in your cache folder)", false},
	{"WAYBILL_NO_CACHE", "use no cache, if it is not empty", false},
	{"WAYBILL_CACHE", "URL of a cache that machines share, as for `--cache`", false},
	{"WAYBILL_CACHE_WRITE", "write to that cache, too, if it is not empty", false},
	{"WAYBILL_CACHE_KEY", "file with the key of that cache, as for `--cache-key`", false},
	{"WAYBILL_CACHE_TOKEN", "bearer token for that cache at an HTTP server", false},
	{"WAYBILL_SSH_KEY", "file of the key for SSH servers (default: the keys in `~/.ssh`)", false},
	{"WAYBILL_PUSH_", "settings of `waybill push apply`, with the endings `URL`, `USERNAME`, `PASSWORD`, `TOKEN`, `PROJECT` and `CA_FILE`", false},
	{"WAYBILL_COMPLETION_TIMEOUT", "the longest time of one completion, such as `2s` (default: 300ms)", false},
	{"WAYBILL_COMPLETION_DESCRIPTIONS", "`0` leaves out the descriptions in completions", true},
	{"MIDONET_API", "URL of the backend for the table `midonet`; with the prefix `MIDONETKUBE_` it has precedence, as the next three", false},
	{"MIDONET_USERNAME", "its user", false},
	{"MIDONET_PASSWORD", "its password", false},
	{"MIDONET_PROJECT", "its project", false},
	{"AWS_ACCESS_KEY_ID", "with `AWS_SECRET_ACCESS_KEY` and, if there is one, `AWS_SESSION_TOKEN`: credentials for that cache in an S3-compatible store", false},
	{"AWS_SECRET_ACCESS_KEY", "see `AWS_ACCESS_KEY_ID`", false},
	{"AWS_SESSION_TOKEN", "see `AWS_ACCESS_KEY_ID`", false},
	{"AWS_REGION", "the region of that store, if the URL names none; else `AWS_DEFAULT_REGION`", false},
	{"AWS_DEFAULT_REGION", "see `AWS_REGION`", false},
	{"AWS_ENDPOINT_URL_S3", "the URL of that store, if that of the cache names none; else `AWS_ENDPOINT_URL`", false},
	{"AWS_ENDPOINT_URL", "see `AWS_ENDPOINT_URL_S3`", false},
	{"KRM_FN_RUNTIME", "the container engine for `--runtime auto`: podman, docker or nerdctl", false},
	{"KPT_FN_RUNTIME", "the same, if `KRM_FN_RUNTIME` is empty", false},
	{"KPT_IMAGE_PREFIX", "what is put before names of images without a slash", false},
	{"SOURCE_DATE_EPOCH", "the time of commits by `waybill rpkg`, in seconds since 1970", false},
	{"SSH_AUTH_SOCK", "the agent with keys for SSH servers", false},
	{"SSH_KNOWN_HOSTS", "files of known hosts (default: those of OpenSSH)", false},
	{"GIT_ASKPASS", "the program that Git's credential helpers ask with", false},
	{"NETRC", "file with passwords for HTTP servers (default: `~/.netrc`)", false},
	{"USER", "the user for SSH servers whose URL names none; else `LOGNAME`", false},
	{"LOGNAME", "see `USER`", false},
	{"NO_COLOR", "no colours, if it is not empty", false},
	{"TERM", "no colours and no progress, if it is empty or `dumb`", false},
	{"GIT_AUTHOR_NAME", "the author of approvals, with `GIT_AUTHOR_EMAIL`, as for `git commit`; else Git's configuration says it", true},
	{"GOGC", "how much the heap grows between two collections; `waybill` chooses if it is not set", false},
	{"GOMEMLIMIT", "the limit of memory (default: nine tenths of what the machine or container has)", false},
	{"KUBECONFIG", "kubeconfig of commands that use a cluster, without `--kubeconfig` (default: `~/.kube/config`; `waybill rpkg` asks for one of them)", true},
	{"HOME", "your home folder: kubeconfig, SSH keys, `.netrc`, cache folder", false},
	{"XDG_CACHE_HOME", "your cache folder (default: `~/.cache`)", true},
	{"HTTPS_PROXY", "proxies, as are `HTTP_PROXY` and `NO_PROXY`", true},
}

// environmentReaders are the folders whose names of variables users set. Others serve Git and functions that waybill starts.
var environmentReaders = []string{"cmd/waybill", "pkg/backend", "pkg/gitrepo/auth", "pkg/sharedcache"}

var environmentName = regexp.MustCompile(`"((?:WAYBILL|AWS|KPT|KRM|MIDONET|SSH|GIT|SOURCE|NO|CLICOLOR)_[A-Z0-9_]+|HOME|NETRC|USER|LOGNAME|GOGC|GOMEMLIMIT|KUBECONFIG|CLICOLOR|COLUMNS|TERM)"`)

// TestReferenceEnvironment wants every variable that the code names to be on the page, and no other.
func TestReferenceEnvironment(t *testing.T) {
	src := goSources{t: t}
	named := map[string]bool{}
	for _, file := range src.all(environmentReaders...) {
		for _, m := range environmentName.FindAllStringSubmatch(src.read(file), -1) {
			named[m[1]] = true
		}
	}
	if len(named) < 15 {
		t.Errorf("only %d variables were found in the code", len(named))
	}
	var page strings.Builder
	page.WriteString("# Environment variables\n\n" + generatedPage + "Flags have precedence.\n\n| variable | is |\n|---|---|\n")
	for _, v := range environment {
		if v.library || named[v.name] {
			fmt.Fprintf(&page, "| `%s` | %s |\n", v.name, v.does)
		}
		delete(named, v.name)
	}
	delete(named, "GIT_AUTHOR_IDENT") // what 'git var' prints, and no variable of the environment
	for name := range named {
		t.Errorf("the code names the variable %s, and this test does not say what it is for", name)
	}
	checkGolden(t, "../../docs/reference/environment.md", page.String())
}
