// Command misbehave is a function that does what no function should; its stdin names the mode. It prints
// a line for each success. Every mode ends by itself, except hang, deaf and flood.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		time.Sleep(time.Hour) // a child of fork, which ends with the container
	}
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	mode, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	modes := map[string]func(arg string){
		"hang": hang, "deaf": deaf, "flood": flood, "fork": fork, "memory": memory, "write": write, "dial": dial, "tell": tell,
	}
	modes[mode](arg)
}

func hang(string) { time.Sleep(time.Hour) }

// deaf prints a line and ignores all signals that can be ignored.
func deaf(string) {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	fmt.Fprintln(os.Stderr, "la la la")
	time.Sleep(time.Hour)
}

func flood(string) {
	for block := make([]byte, 1<<16); ; {
		if _, err := os.Stdout.Write(block); err != nil {
			os.Exit(1)
		}
	}
}

func fork(string) {
	for range 30 {
		if err := exec.Command(os.Args[0], "child").Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("started")
	}
}

func memory(string) {
	var kept [][]byte
	for range 256 {
		block := make([]byte, 1<<20)
		for i := range block {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	fmt.Println(len(kept), "MiB")
}

func write(string) {
	for _, dir := range []string{"/", "/etc", "/dev", "/dev/shm", "/run", "/var/tmp", "/volume", "/tmp"} {
		_ = os.MkdirAll(dir, 0o755)
		if os.WriteFile(dir+"/file", []byte("x"), 0o600) == nil {
			fmt.Println(dir)
		}
	}
}

func dial(address string) {
	if conn, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		fmt.Println("connected")
		conn.Close()
	}
}

// tell prints its privileges and the names of its variables.
func tell(string) {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "CapEff", "CapBnd", "NoNewPrivs", "Uid":
			fmt.Println(key, strings.Fields(value)[0])
		}
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.Contains(strings.ToLower(name), "proxy") {
			fmt.Println(name)
		}
	}
}
