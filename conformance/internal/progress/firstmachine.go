package progress

import (
	"context"
	"strings"

	"conformance/internal/live"
	"conformance/internal/standins"
)

// initFile is where the kubeadm bootstrap provider lets cloud-init write the configuration of the first machine of a control plane.
const initFile = "/run/kubeadm/kubeadm.yaml"

// firstControlPlaneMachine waits until a KubeadmControlPlane has its first Machine with bootstrap data and a virtual machine.
// No further: a second machine needs an API server and an etcd on the first.
func (c *checker) firstControlPlaneMachine(ctx context.Context) error {
	selector := c.labels()
	selector["cluster.x-k8s.io/control-plane"] = ""
	return c.until(ctx, "the control plane has its first machine, with bootstrap data and a running virtual machine", growTime,
		func(ctx context.Context) (string, error) {
			machines, err := c.client.List(ctx, live.Machine, c.namespace, selector)
			if err != nil {
				return "", err
			}
			if len(machines) != 1 {
				return c.describeControlPlane(ctx, len(machines))
			}
			machine := &machines[0]
			name := live.String(machine.Object, "spec", "infrastructureRef", "name")
			instance, err := c.client.Get(ctx, live.VirtualMachineInstance, c.namespace, name)
			if err != nil {
				return "", err
			}
			if instance == nil {
				return c.describeMachine(ctx, machine)
			}
			return c.compareFirstMachine(ctx, machine)
		})
}

// compareFirstMachine returns what the bootstrap data of the first machine lacks.
func (c *checker) compareFirstMachine(ctx context.Context, machine *live.Object) (string, error) {
	secret, err := c.client.Get(ctx, live.Secret, c.namespace, live.String(machine.Object, "spec", "bootstrap", "dataSecretName"))
	if err != nil {
		return "", err
	}
	if secret == nil {
		return c.describeMachine(ctx, machine)
	}
	data, err := live.SecretData(secret, "value")
	if err != nil {
		return "", err
	}
	files, err := standins.Files(data)
	if err != nil {
		return "", err
	}
	controlPlane := c.ofKind(live.KubeadmControlPlane.Kind)[0]
	var missing findings
	for _, kind := range []string{"kind: ClusterConfiguration", "kind: InitConfiguration"} {
		if !strings.Contains(files[initFile], kind) {
			missing.add("%s in %s of the bootstrap data", kind, initFile)
		}
	}
	for _, file := range live.Maps(controlPlane.Object, "spec", "kubeadmConfigSpec", "files") {
		if _, found := files[live.String(file, "path")]; !found {
			missing.add("file %s in the bootstrap data", live.String(file, "path"))
		}
	}
	for _, arg := range live.Maps(controlPlane.Object, "spec", "kubeadmConfigSpec", "initConfiguration", "nodeRegistration", "kubeletExtraArgs") {
		if !strings.Contains(files[initFile], live.String(arg, "name")) {
			missing.add("the kubelet's argument %s in %s of the bootstrap data", live.String(arg, "name"), initFile)
		}
	}
	return missing.String(), nil
}

func (c *checker) describeControlPlane(ctx context.Context, machines int) (string, error) {
	cluster, err := c.client.Get(ctx, live.Cluster, c.namespace, c.name)
	if err != nil {
		return "", err
	}
	name := live.String(c.cluster.Object, "spec", "controlPlaneRef", "name")
	controlPlane, err := c.client.Get(ctx, live.KubeadmControlPlane, c.namespace, name)
	if err != nil {
		return "", err
	}
	missing := findings{}
	missing.add("there are %d Machines of the control plane, not 1", machines)
	for _, object := range []*live.Object{cluster, controlPlane} {
		if object != nil {
			missing.add("%s", live.Describe(object))
		}
	}
	return missing.String(), nil
}
