package clustertest

import (
	"fmt"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// port is a port of this machine that stays reserved while no server listens on it, so that a server can stop and start again
// without another process taking its address: a socket that is bound, never listens, and shares its address with sockets of
// the same user that ask for that.
type port struct{ socket, number int }

func reservePort() (p port, err error) {
	syscall.ForkLock.RLock() // a program started meanwhile must not inherit the socket
	p.socket, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(p.socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return port{}, fmt.Errorf("reserve a port: %w", err)
	}
	if p.number, err = bindAnywhere(p.socket); err != nil {
		p.release()
		return port{}, fmt.Errorf("reserve a port: %w", err)
	}
	return p, nil
}

func bindAnywhere(socket int) (number int, err error) {
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return 0, err
	}
	if err := unix.Bind(socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	at, err := unix.Getsockname(socket)
	if err != nil {
		return 0, err
	}
	return at.(*unix.SockaddrInet4).Port, nil
}

func (p port) release() { _ = unix.Close(p.socket) }

// FreeAddress is an address of this machine at which no server listens now, for a program that cannot share a reserved port.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
