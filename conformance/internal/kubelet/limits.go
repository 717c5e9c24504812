package kubelet

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// Limits are what this kubelet does not do, or does otherwise.
var Limits = []string{
	"Memory and CPU are measured and not limited; ephemeral storage is neither.",
	"Seccomp, SELinux, AppArmor, sysctls and user namespaces are not applied.",
	"NetworkPolicies are not enforced: the connections are judged afterwards.",
	"Images are not pulled: a table says which program an image has. The shell of busybox is that of the machine, with an nc of our own.",
	"Changes of Secrets and ConfigMaps reach volumes within seconds, and files are replaced one by one; a kubelet takes about a minute and swaps all at once.",
	"Containers that end start again after 1 to 10 seconds, not 10 seconds to 5 minutes.",
	"Directories of a node (hostPath) are empty at first, /dev among them, and what a container mounts is seen by no other (mountPropagation).",
	"Pods of a tenant's machines have addresses in the range of the management cluster's pods, whose node is their host; DNS does not answer them.",
	"The variables of other Services (enableServiceLinks) are not set.",
}

// unsupported returns an error for what a pod asks for and cannot get here, so that nothing is ignored.
func unsupported(spec *corev1.PodSpec) error {
	var problems []error
	refuse := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf(format+" does not run here", args...))
	}
	if len(spec.EphemeralContainers) > 0 {
		refuse("an ephemeral container")
	}
	if spec.HostPID || spec.HostIPC || first(false, spec.ShareProcessNamespace) {
		refuse("hostPID, hostIPC or shareProcessNamespace")
	}
	for _, c := range append(append([]corev1.Container{}, spec.InitContainers...), spec.Containers...) {
		if c.Lifecycle != nil {
			refuse("lifecycle of the container %s", c.Name)
		}
		if c.RestartPolicy != nil {
			refuse("restartPolicy of the container %s", c.Name)
		}
		if len(c.VolumeDevices) > 0 {
			refuse("volumeDevices of the container %s", c.Name)
		}
		for _, probe := range []*corev1.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
			if probe != nil && probe.HTTPGet == nil && probe.TCPSocket == nil {
				refuse("a probe of the container %s that is neither httpGet nor tcpSocket", c.Name)
			}
		}
	}
	return errors.Join(problems...)
}
