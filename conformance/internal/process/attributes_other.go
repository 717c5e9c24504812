//go:build !linux

package process

import "syscall"

// sysProcAttr keeps an interrupt at the terminal from reaching the child before its parent has stopped it.
func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
