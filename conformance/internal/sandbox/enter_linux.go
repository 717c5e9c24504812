package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// marker tells the program that it is inside.
const marker = "CONFORMANCE_SANDBOX"

// namespaces are those that a sandbox has of its own. That of processes ends all of them together with the first one.
const namespaces = unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// ErrNoRights says that this user may not make namespaces.
var ErrNoRights = errors.New("namespaces of its own for network, mounts and processes take root, or CAP_SYS_ADMIN and CAP_NET_ADMIN: run it as root, or in a container with --privileged")

// Inside reports whether the program runs in a sandbox.
func Inside() bool { return os.Getenv(marker) != "" }

// Run runs this program once more in a sandbox, with the same arguments, and returns its exit code. A signal to end is passed on; a second one ends
// everything at once, and so does the end of this process.
func Run() (int, error) {
	command := exec.Command("/proc/self/exe", os.Args[1:]...)
	command.Env = append(os.Environ(), marker+"=1")
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Setpgid: true, Pdeathsig: syscall.SIGKILL}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := command.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) {
			return 0, ErrNoRights
		}
		return 0, fmt.Errorf("start the sandbox: %w", err)
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	interrupted := false
	for {
		select {
		case received := <-signals:
			if interrupted {
				_ = command.Process.Kill()
				continue
			}
			interrupted = true
			fmt.Fprintln(os.Stderr, "Stopping everything; interrupt again to kill it.")
			_ = command.Process.Signal(received)
		case err := <-done:
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				return 0, fmt.Errorf("run the sandbox: %w", err)
			}
			if code := command.ProcessState.ExitCode(); code >= 0 {
				return code, nil
			}
			return 1, nil
		}
	}
}
