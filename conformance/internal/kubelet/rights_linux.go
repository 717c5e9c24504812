package kubelet

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
	corev1 "k8s.io/api/core/v1"
)

// capabilities are all that the kernel knows, by the names that manifests use.
var capabilities = map[corev1.Capability]uintptr{
	"AUDIT_CONTROL": unix.CAP_AUDIT_CONTROL, "AUDIT_READ": unix.CAP_AUDIT_READ, "AUDIT_WRITE": unix.CAP_AUDIT_WRITE,
	"BLOCK_SUSPEND": unix.CAP_BLOCK_SUSPEND, "BPF": unix.CAP_BPF, "CHECKPOINT_RESTORE": unix.CAP_CHECKPOINT_RESTORE, "CHOWN": unix.CAP_CHOWN,
	"DAC_OVERRIDE": unix.CAP_DAC_OVERRIDE, "DAC_READ_SEARCH": unix.CAP_DAC_READ_SEARCH, "FOWNER": unix.CAP_FOWNER, "FSETID": unix.CAP_FSETID,
	"IPC_LOCK": unix.CAP_IPC_LOCK, "IPC_OWNER": unix.CAP_IPC_OWNER, "KILL": unix.CAP_KILL, "LEASE": unix.CAP_LEASE, "LINUX_IMMUTABLE": unix.CAP_LINUX_IMMUTABLE,
	"MAC_ADMIN": unix.CAP_MAC_ADMIN, "MAC_OVERRIDE": unix.CAP_MAC_OVERRIDE, "MKNOD": unix.CAP_MKNOD, "NET_ADMIN": unix.CAP_NET_ADMIN,
	"NET_BIND_SERVICE": unix.CAP_NET_BIND_SERVICE, "NET_BROADCAST": unix.CAP_NET_BROADCAST, "NET_RAW": unix.CAP_NET_RAW, "PERFMON": unix.CAP_PERFMON,
	"SETFCAP": unix.CAP_SETFCAP, "SETGID": unix.CAP_SETGID, "SETPCAP": unix.CAP_SETPCAP, "SETUID": unix.CAP_SETUID, "SYSLOG": unix.CAP_SYSLOG,
	"SYS_ADMIN": unix.CAP_SYS_ADMIN, "SYS_BOOT": unix.CAP_SYS_BOOT, "SYS_CHROOT": unix.CAP_SYS_CHROOT, "SYS_MODULE": unix.CAP_SYS_MODULE,
	"SYS_NICE": unix.CAP_SYS_NICE, "SYS_PACCT": unix.CAP_SYS_PACCT, "SYS_PTRACE": unix.CAP_SYS_PTRACE, "SYS_RAWIO": unix.CAP_SYS_RAWIO,
	"SYS_RESOURCE": unix.CAP_SYS_RESOURCE, "SYS_TIME": unix.CAP_SYS_TIME, "SYS_TTY_CONFIG": unix.CAP_SYS_TTY_CONFIG, "WAKE_ALARM": unix.CAP_WAKE_ALARM,
}

// usualCapabilities are those that containerd leaves to a container that says nothing (its oci.defaultUnixCaps).
var usualCapabilities = []corev1.Capability{
	"CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP", "NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE",
}

// setRights fills in as whom a container runs, from the security contexts of the pod and of the container and from the user of its image.
func (s *setup) setRights(pod *corev1.PodSecurityContext, container *corev1.SecurityContext, imageUser int64) error {
	if pod == nil {
		pod = &corev1.PodSecurityContext{}
	}
	if container == nil {
		container = &corev1.SecurityContext{}
	}
	s.User = int(first(imageUser, container.RunAsUser, pod.RunAsUser))
	s.Group = int(first(0, container.RunAsGroup, pod.RunAsGroup))
	if first(false, container.RunAsNonRoot, pod.RunAsNonRoot) && s.User == 0 {
		return fmt.Errorf("runAsNonRoot is set, and the user is 0")
	}
	for _, group := range pod.SupplementalGroups {
		s.Groups = append(s.Groups, int(group))
	}
	if pod.FSGroup != nil {
		s.Groups = append(s.Groups, int(*pod.FSGroup))
	}
	s.ReadOnlyRoot = first(false, container.ReadOnlyRootFilesystem)
	s.NoNewPrivileges = !first(true, container.AllowPrivilegeEscalation)
	allowed := map[corev1.Capability]bool{}
	for _, name := range usualCapabilities {
		allowed[name] = true
	}
	if first(false, container.Privileged) {
		own, err := ownCapabilities()
		if err != nil {
			return err
		}
		for name, number := range capabilities {
			if own[number/32].Permitted&(1<<(number%32)) != 0 {
				allowed[name] = true
			}
		}
	}
	if changes := container.Capabilities; changes != nil {
		for _, name := range changes.Drop {
			if name == "ALL" {
				clear(allowed)
			}
			delete(allowed, name)
		}
		for _, name := range changes.Add {
			allowed[corev1.Capability(strings.TrimPrefix(string(name), "CAP_"))] = true
		}
	}
	for name := range allowed {
		number, known := capabilities[name]
		if !known {
			return fmt.Errorf("the capability %s is not known", name)
		}
		s.Capabilities = append(s.Capabilities, number)
	}
	slices.Sort(s.Capabilities)
	return nil
}

// ownCapabilities are those of this process: a privileged container has no more, and fewer than on a node if this machine is a container itself.
func ownCapabilities() (own [2]unix.CapUserData, err error) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if err := unix.Capget(&header, &own[0]); err != nil {
		return own, fmt.Errorf("read the capabilities: %w", err)
	}
	return own, nil
}

// first returns the first value that is set, or the other one.
func first[T any](otherwise T, values ...*T) T {
	for _, value := range values {
		if value != nil {
			return *value
		}
	}
	return otherwise
}

// dropRights gives up what the container may not do. For another user than root, the kernel does the rest.
func (s *setup) dropRights() error {
	var header = unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var kept [2]unix.CapUserData
	for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
		if slices.Contains(s.Capabilities, capability) {
			kept[capability/32].Permitted |= 1 << (capability % 32)
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil && err != unix.EINVAL { // A kernel that does not know it.
			return fmt.Errorf("drop the capability %d: %w", capability, err)
		}
	}
	if err := syscall.Setgroups(s.Groups); err != nil {
		return fmt.Errorf("set the groups: %w", err)
	}
	if err := syscall.Setgid(s.Group); err != nil {
		return fmt.Errorf("set the group: %w", err)
	}
	if err := syscall.Setuid(s.User); err != nil {
		return fmt.Errorf("set the user: %w", err)
	}
	if s.User == 0 {
		for i := range kept {
			kept[i].Effective, kept[i].Inheritable = kept[i].Permitted, 0
		}
		if err := unix.Capset(&header, &kept[0]); err != nil {
			return fmt.Errorf("set the capabilities: %w", err)
		}
	}
	if s.NoNewPrivileges {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("refuse new privileges: %w", err)
		}
	}
	return nil
}
