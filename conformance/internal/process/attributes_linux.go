package process

import "syscall"

// sysProcAttr keeps an interrupt at the terminal from reaching the child before its parent has stopped it,
// and ends the child when the parent is killed.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
