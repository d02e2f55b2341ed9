package clustertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Program is a program that runs beside the servers of a cluster.
type Program struct {
	*childProcess
	log string
}

// Run runs a program in the folder of the cluster until Stop, the end of the cluster or the end of this process. Its output
// is appended to the file NAME.log there.
func (c *Cluster) Run(name string, args ...string) (*Program, error) {
	p := &Program{log: c.path(name + ".log")}
	var err error
	if p.childProcess, err = startChild(runScript, p.log, args...); err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	c.faults.Lock()
	defer c.faults.Unlock()
	c.others = append(c.others, p.childProcess)
	return p, nil
}

// Stop kills the program, as a crash would. It does nothing for one that has ended.
func (p *Program) Stop() { p.end() }

// Running reports whether the program runs.
func (p *Program) Running() bool { return p.running() }

// Log is the end of the output of the program.
func (p *Program) Log() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-2000):]))
}

// Folder creates a folder in that of the cluster, with which it is removed.
func (c *Cluster) Folder(name string) (string, error) {
	dir := c.path(name)
	return dir, os.MkdirAll(dir, 0o700)
}

// Serving writes the certificate and key of a server on 127.0.0.1 to tls.crt and tls.key in the folder, and returns the
// authority that signed it: that of the cluster.
func (c *Cluster) Serving(folder string) (ca []byte, err error) {
	for from, to := range map[string]string{"server.crt": "tls.crt", "server.key": "tls.key"} {
		text, err := os.ReadFile(c.path(from))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, to), text, 0o600); err != nil {
			return nil, err
		}
	}
	return c.ca, nil
}
