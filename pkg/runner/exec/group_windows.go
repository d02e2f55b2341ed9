package exec

import (
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is a program with the processes that it starts: a job object, which ends with this process.
type group struct {
	cmd *osexec.Cmd
	job windows.Handle
}

// newGroup makes the group of a command that has not started.
func newGroup(cmd *osexec.Cmd) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("make a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))) // #nosec G103 -- as the system wants it
	if err != nil {
		return nil, errors.Join(fmt.Errorf("set up a job object: %w", err), windows.CloseHandle(job))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP} // Ctrl+C is for this process alone
	return &group{cmd, job}, nil
}

// run runs the command. A process that the program starts before it is in the job is not part of the group: a program takes longer
// to start than this takes.
func (g *group) run(syscall.Signal) error {
	if err := g.cmd.Start(); err != nil {
		return err
	}
	var failed error
	err := g.cmd.Process.WithHandle(func(handle uintptr) {
		failed = windows.AssignProcessToJobObject(g.job, windows.Handle(handle))
	})
	if err = errors.Join(err, failed); err != nil && !errors.Is(err, os.ErrProcessDone) && g.runs() {
		return errors.Join(fmt.Errorf("bind a program to this process: %w", err), g.cmd.Process.Kill(), g.cmd.Wait())
	}
	return g.cmd.Wait()
}

// terminate does nothing: Windows cannot ask a program to end. The function that ends the program of a client ends the client.
func (*group) terminate() error { return nil }

// runs reports whether the program has not ended.
func (g *group) runs() (yes bool) {
	err := g.cmd.Process.WithHandle(func(handle uintptr) {
		state, err := windows.WaitForSingleObject(windows.Handle(handle), 0)
		yes = err == nil && state == uint32(windows.WAIT_TIMEOUT)
	})
	return err == nil && yes
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	totalUserTime, totalKernelTime, thisPeriodTotalUserTime, thisPeriodTotalKernelTime int64
	totalPageFaultCount, totalProcesses, activeProcesses, totalTerminatedProcesses     uint32
}

// kill kills the group and reports whether there was a process in it.
func (g *group) kill() bool {
	var now accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&now)), uint32(unsafe.Sizeof(now)), nil) // #nosec G103 -- as the system wants it
	return windows.TerminateJobObject(g.job, 1) == nil && err == nil && now.activeProcesses > 0
}

func (g *group) close() { _ = windows.CloseHandle(g.job) }
