package transport

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
)

// connectLocal runs the user's git on a repository of this machine.
func connectLocal(dir string) connect {
	return func(ctx context.Context, service string) (*process, error) {
		ctx, kill := context.WithCancel(ctx)
		p, err := startLocal(ctx, service, dir)
		if err != nil {
			kill()
			return nil, err
		}
		end := p.close
		p.close = func() { kill(); end() }
		return p, nil
	}
}

// startLocal starts a service, which is killed when ctx ends.
func startLocal(ctx context.Context, service, dir string) (*process, error) {
	cmd, err := gitcmd.Command(ctx, service[len("git-"):], dir)
	if err != nil {
		return nil, err
	}
	p := &process{stderr: &gitcmd.Output{}}
	cmd.Stderr = p.stderr
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// A program that git started may outlive it and hold on to the pipes.
	stop := context.AfterFunc(ctx, func() { stdout.Close(); p.stdin.Close() })
	p.stdout, p.wait = stdout, sync.OnceValue(cmd.Wait)
	p.close = func() { stop(); stdout.Close(); p.stdin.Close(); _ = p.wait() }
	return p, nil
}
