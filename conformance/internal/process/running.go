package process

import (
	"errors"
	"os/exec"
	"sync"
	"syscall"
)

// errKilled is the answer to a start after KillAll.
var errKilled = errors.New("everything is being killed")

// running holds the child processes that were started and whose end has not been seen.
var running = registry{children: map[*child]bool{}}

// child is a process that leads a process group of its own.
type child struct {
	name string
	cmd  *exec.Cmd
	done chan struct{}
}

// registry is a set of child processes.
type registry struct {
	mutex    sync.Mutex
	children map[*child]bool
	// lost are the processes that ended although nobody wanted it.
	lost   []*Process
	closed bool
}

// start starts a command and adds it, in one step for KillAll.
func (r *registry) start(name string, cmd *exec.Cmd) (*child, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.closed {
		return nil, errKilled
	}
	cmd.SysProcAttr = sysProcAttr()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{name: name, cmd: cmd, done: make(chan struct{})}
	r.children[c] = true
	return c, nil
}

// wait returns how a child ended and removes it.
func (r *registry) wait(c *child) error {
	err := c.cmd.Wait()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.children, c)
	close(c.done)
	return err
}

// lose notes that a process has ended by itself.
func (r *registry) lose(p *Process) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.lost = append(r.lost, p)
}

// firstLost returns the process that was the first to end by itself, nil if none has.
func (r *registry) firstLost() *Process {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.lost) == 0 {
		return nil
	}
	return r.lost[0]
}

// all returns the children, and lets no other start if it is the last time.
func (r *registry) all(last bool) []*child {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.closed = r.closed || last
	all := make([]*child, 0, len(r.children))
	for c := range r.children {
		all = append(all, c)
	}
	return all
}

// signal sends a signal to a child and to all processes of its group.
func (c *child) signal(signal syscall.Signal) error {
	return syscall.Kill(-c.cmd.Process.Pid, signal)
}

// KillAll ends all child processes at once, waits until they are gone and lets no other start.
func KillAll() {
	for _, c := range running.all(true) {
		_ = c.signal(syscall.SIGKILL)
		<-c.done
	}
}
