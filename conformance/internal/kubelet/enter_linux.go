package kubelet

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// The files that a container's process inherits.
const (
	setupFile   = 3
	networkFile = 4
)

// enterName is what this program is called by while it turns into the process of a container.
const enterName = "container"

// setup is what a container's process needs to know before it becomes the program of the container.
type setup struct {
	// Root is an empty directory, which becomes the root of the container.
	Root         string
	ReadOnlyRoot bool
	Mounts       []mount
	Hostname     string
	// Args has the program first.
	Args, Env  []string
	WorkingDir string
	User       int
	Group      int
	Groups     []int
	// Capabilities are those that the process can ever have.
	Capabilities    []uintptr
	NoNewPrivileges bool
	// HasNetwork is false for pods in the network of the machine.
	HasNetwork bool
	// Idle lets the process wait for its end in place of a program.
	Idle bool
}

// mount shows a file or directory of the machine in the container.
type mount struct {
	Source, Target string
	ReadOnly       bool
}

// devices are those that every container has.
var devices = []string{"null", "zero", "full", "random", "urandom"}

// Enter turns this process into that of a container, or into a tool of one, if it was started as such; otherwise it does nothing.
func Enter() {
	if filepath.Base(os.Args[0]) == netcatName {
		os.Exit(netcat(os.Args[1:]))
	}
	if os.Args[0] != enterName {
		return
	}
	// Namespaces and rights belong to the thread, which the program of the container takes over.
	runtime.LockOSThread()
	err := enter()
	fmt.Fprintln(os.Stderr, "start the container:", err)
	os.Exit(128)
}

// enter returns only with an error.
func enter() error {
	var s setup
	if err := json.NewDecoder(os.NewFile(setupFile, "setup")).Decode(&s); err != nil {
		return fmt.Errorf("read what to start: %w", err)
	}
	if s.HasNetwork {
		if err := unix.Setns(networkFile, unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter the network of the pod: %w", err)
		}
	}
	if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
		return fmt.Errorf("set the host name: %w", err)
	}
	if err := s.enterRoot(); err != nil {
		return err
	}
	if err := s.dropRights(); err != nil {
		return err
	}
	if s.WorkingDir != "" {
		if err := os.Chdir(s.WorkingDir); err != nil {
			return fmt.Errorf("enter the working directory: %w", err)
		}
	}
	os.Clearenv()
	for _, variable := range s.Env {
		if name, value, found := cutVariable(variable); found {
			_ = os.Setenv(name, value) // exec.LookPath reads PATH.
		}
	}
	if s.Idle {
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, unix.SIGTERM)
		<-ended
		os.Exit(0)
	}
	program, err := exec.LookPath(s.Args[0])
	if err != nil {
		return err
	}
	return fmt.Errorf("run %s: %w", program, unix.Exec(program, s.Args, s.Env))
}

// enterRoot makes the file system of the container and leaves that of the machine.
func (s *setup) enterRoot() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	if err := unix.Mount("root", s.Root, "tmpfs", unix.MS_NODEV, "mode=0755,size=1g"); err != nil {
		return fmt.Errorf("mount the root: %w", err)
	}
	for _, directory := range []string{"proc", "dev", "etc", "tmp", "var/run"} {
		if err := os.MkdirAll(filepath.Join(s.Root, directory), 0o755); err != nil {
			return fmt.Errorf("make /%s: %w", directory, err)
		}
	}
	if err := os.Chmod(filepath.Join(s.Root, "tmp"), 0o1777); err != nil {
		return fmt.Errorf("open /tmp for all: %w", err)
	}
	if err := unix.Mount("proc", filepath.Join(s.Root, "proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	mounts := make([]mount, 0, len(devices)+len(s.Mounts))
	for _, device := range devices {
		mounts = append(mounts, mount{Source: "/dev/" + device, Target: "/dev/" + device})
	}
	mounts = append(mounts, s.Mounts...)
	// A mount can be inside another one that is read-only: a kubelet makes its directory there before (kubernetes pkg/volume/util/nested_volumes.go).
	for _, apply := range []func(mount, string) error{mount.bind, mount.seal} {
		for _, m := range mounts {
			if err := apply(m, s.Root); err != nil {
				return fmt.Errorf("mount %s: %w", m.Target, err)
			}
		}
	}
	if err := unix.Chdir(s.Root); err != nil {
		return fmt.Errorf("enter the root: %w", err)
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the file system of the machine: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return fmt.Errorf("enter the root: %w", err)
	}
	if s.ReadOnlyRoot {
		if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("make the root read-only: %w", err)
		}
	}
	return nil
}

// bind shows the source below the root.
func (m mount) bind(root string) error {
	info, err := os.Stat(m.Source)
	if err != nil {
		return err
	}
	target := filepath.Join(root, m.Target)
	if info.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil {
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil && !os.IsExist(err) {
		return err
	}
	return unix.Mount(m.Source, target, "", unix.MS_BIND|unix.MS_REC, "")
}

// seal makes what is shown read-only if it must be.
func (m mount) seal(root string) error {
	if !m.ReadOnly {
		return nil
	}
	return unix.Mount("", filepath.Join(root, m.Target), "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, "")
}
