// Package machines makes a node of a machine as far as that goes without one: kubeadm of the machine's minor runs dry with the files that the machine has, and
// the first part of that minor's kubelet reads what kubeadm has written.
package machines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"conformance/internal/programs"
)

// Paths of files in the root of a machine.
const (
	binaries     = "/usr/bin"
	certificates = "/etc/kubernetes/pki/"
	dryRunDir    = "/dry-run"
)

// Ignored are the checks of kubeadm that a machine without a kernel, services and ports of its own fails.
var Ignored = []string{
	"CRI", "ContainerRuntimeVersion", // Nothing runs containers.
	"SystemVerification",                                                            // The kernel is that of this machine.
	"Port-2379", "Port-2380", "Port-6443", "Port-10250", "Port-10257", "Port-10259", // Other servers may run on this machine.
}

// placed are what a node has, and kubeadm only looks for.
var placed = map[string]string{
	"/dev/null":                     "",
	"/proc/sys/net/ipv4/ip_forward": "1",
	binaries + "/losetup":           "",
	binaries + "/mount":             "",
	binaries + "/cp":                "",
}

// templates are what cloud-init fills in on the machine.
var templates = strings.NewReplacer("{{ ds.meta_data.local_hostname }}", "machine", "{{ ds.meta_data.instance_id }}", "machine")

// Machine is a directory that is the root of a file system.
type Machine struct {
	root  string
	files map[string]string
}

// New makes a machine of files, by their paths, in the directory root, which it creates. The tools are in the directory bin.
func New(root, bin string, tools programs.NodeTools, files map[string]string) (*Machine, error) {
	m := &Machine{root, files}
	for name, program := range map[string]string{"kubeadm": tools.Kubeadm, "kubelet": tools.Kubelet} {
		content, err := os.ReadFile(filepath.Join(bin, program))
		if err != nil {
			return nil, fmt.Errorf("put %s on a machine: %w", name, err)
		}
		if err := m.write(path.Join(binaries, name), content); err != nil {
			return nil, err
		}
	}
	for name, content := range placed {
		if err := m.write(name, []byte(content)); err != nil {
			return nil, err
		}
	}
	for name, content := range files {
		places := []string{name}
		// A dry run looks there for authorities that the machine is given, and kubeadm itself copies one of them only.
		if inPKI, found := strings.CutPrefix(name, certificates); found {
			places = append(places, path.Join(dryRunDir, inPKI))
		}
		for _, place := range places {
			if err := m.write(place, []byte(templates.Replace(content))); err != nil {
				return nil, err
			}
		}
	}
	// By which names are found.
	for _, name := range []string{"/etc/hosts", "/etc/resolv.conf"} {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("copy %s to a machine: %w", name, err)
		}
		if err := m.write(name, content); err != nil {
			return nil, err
		}
	}
	return m, os.MkdirAll(filepath.Join(root, dryRunDir), 0o700)
}

// Remove removes the machine.
func (m *Machine) Remove() error { return os.RemoveAll(m.root) }

func (m *Machine) write(name string, content []byte) error {
	file := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make a machine: %w", err)
	}
	if err := os.WriteFile(file, content, 0o755); err != nil {
		return fmt.Errorf("make a machine: %w", err)
	}
	return nil
}

// run runs a program on the machine. Its error is what the program says.
func (m *Machine) run(ctx context.Context, name string, args ...string) error {
	command := exec.CommandContext(ctx, path.Join(binaries, name), args...)
	command.Dir, command.SysProcAttr = "/", &syscall.SysProcAttr{Chroot: m.root, Setpgid: true}
	command.Env = []string{"PATH=" + binaries, "HOME=/", "KUBEADM_JOIN_DRYRUN_DIR=" + dryRunDir, "KUBEADM_INIT_DRYRUN_DIR=" + dryRunDir}
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%s %s ended with %d: %s", name, strings.Join(args, " "), exit.ExitCode(), reason(string(output)))
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}

// reasonLines is how much of what a program prints an error quotes.
const reasonLines = 12

// reason returns the errors in what a program prints, or its last lines.
func reason(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	errors := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return !strings.HasPrefix(line, "error") && !strings.Contains(line, "[ERROR ")
	})
	if len(errors) > 0 {
		return strings.Join(errors, "\n")
	}
	return strings.Join(lines[max(0, len(lines)-reasonLines):], "\n")
}
