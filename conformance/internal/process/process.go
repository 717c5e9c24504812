// Package process starts child processes and ends exactly those it started.
package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// gracePeriod is how long a process may take to end after SIGTERM.
const gracePeriod = 5 * time.Second

// logTail is how much of a log an error message quotes.
const logTail = 4096

// Process is a running child process.
type Process struct {
	*child
	logPath string
	// stopping is set when the end of the process is wanted.
	stopping atomic.Bool
}

// Start runs the executable at path and writes its output to name.log in logDir.
func Start(name, logDir, path string, args ...string) (*Process, error) {
	return StartWith(nil, name, logDir, path, args...)
}

// StartWith is Start with additions to the environment.
func StartWith(env []string, name, logDir, path string, args ...string) (*Process, error) {
	logPath := filepath.Join(logDir, name+".log")
	log, err := os.Create(logPath)
	if err != nil {
		return nil, fmt.Errorf("create the log of %s: %w", name, err)
	}
	defer log.Close()

	cmd := exec.Command(path, args...)
	cmd.Dir = logDir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	started, err := running.start(name, cmd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Process{child: started, logPath: logPath}
	go func() {
		_ = running.wait(started) // The state of the command has the error.
		if !p.stopping.Load() {
			running.lose(p)
		}
	}()
	return p, nil
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err describes the end of a process that ended by itself, with the end of its log.
// It must not be called before Done is closed.
func (p *Process) Err() error {
	return fmt.Errorf("%s ended (%v):\n%s", p.name, p.cmd.ProcessState, p.tail())
}

// Stop ends the process and returns when it is gone.
func (p *Process) Stop() {
	p.stopping.Store(true)
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(gracePeriod):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// tail returns the last lines of the log.
func (p *Process) tail() []byte {
	log, err := os.ReadFile(p.logPath)
	if err != nil {
		return nil
	}
	if len(log) > logTail {
		log = log[len(log)-logTail:]
	}
	return bytes.TrimSpace(log)
}
