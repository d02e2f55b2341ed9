package clustertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// howToEnd is set in processes that TestNothingOutlivesTheProcess starts: each has a cluster, says where, and
// ends when its stdin does, in the way that howToEnd names.
const howToEnd = "CLUSTERTEST_END"

func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard()) // clients would complain that there is none
	how := os.Getenv(howToEnd)
	if how == "" {
		os.Exit(m.Run())
	}
	c, err := New()
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.TrimPrefix(c.admin.Host, "https://"), c.dir)
	_, _ = io.ReadAll(os.Stdin)
	if how == "panic" {
		panic("as it was told")
	}
}

// TestNothingOutlivesTheProcess has several processes with a cluster each, all at once.
func TestNothingOutlivesTheProcess(t *testing.T) {
	testenv.Need(t, testenv.APIServer)
	cases := map[string]struct {
		reason string
		end    func(*exec.Cmd, io.Closer) error
	}{
		"return": {"an end without any clean-up", func(_ *exec.Cmd, stdin io.Closer) error { return stdin.Close() }},
		"panic":  {"a test that panics takes all others with it", func(_ *exec.Cmd, stdin io.Closer) error { return stdin.Close() }},
		"kill":   {"no clean-up has a chance", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Kill() }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0]) // #nosec G204,G702 -- this very test
			cmd.Env = append(os.Environ(), howToEnd+"="+name)
			stdin, address, dir := startProcess(t, cmd)
			if !answers(address) {
				t.Fatalf("%s: no server answers at %s", tc.reason, address)
			}
			if err := tc.end(cmd, stdin); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // however it ended
			for began := time.Now(); answers(address) || exists(dir); time.Sleep(10 * time.Millisecond) {
				if time.Since(began) > 20*time.Second {
					t.Fatalf("%s: %s answers: %t; %s is there: %t", tc.reason, address, answers(address), dir, exists(dir))
				}
			}
		})
	}
}

func startProcess(t *testing.T, cmd *exec.Cmd) (stdin io.Closer, address, dir string) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	if _, err := fmt.Sscan(line, &address, &dir); err != nil {
		t.Fatalf("read %q: %v", line, err)
	}
	return stdin, address, dir
}

func answers(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

func exists(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}
