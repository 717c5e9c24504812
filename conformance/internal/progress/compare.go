package progress

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
	"conformance/internal/standins"
)

// compareMachines compares every machine of a pool that is ready with the templates of the manifest:
// bootstrap data, virtual machine and node.
func (c *checker) compareMachines(ctx context.Context, p *pool) error {
	machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
	if err != nil {
		return err
	}
	var wrong findings
	for i := range machines {
		found, err := c.compareMachine(ctx, p, &machines[i])
		if err != nil {
			return err
		}
		for _, problem := range found {
			wrong.add("Machine %s: %s", machines[i].GetName(), problem)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("pool %s is ready, but not as the manifest says:\n    %s", p.name(), strings.ReplaceAll(wrong.String(), "\n", "\n    "))
	}
	c.note("pool %s: bootstrap data, virtual machines and nodes are as the templates say", p.name())
	return nil
}

func (c *checker) compareMachine(ctx context.Context, p *pool, machine *live.Object) (findings, error) {
	var wrong findings
	if got, want := live.String(machine.Object, "spec", "version"), live.String(p.deployment.Object, "spec", "template", "spec", "version"); got != want {
		wrong.add("version is %s, not %s", got, want)
	}
	userData, err := c.compareVirtualMachine(ctx, p, live.String(machine.Object, "spec", "infrastructureRef", "name"), &wrong)
	if err != nil || userData == nil {
		return wrong, err
	}
	config, err := c.compareBootstrapData(ctx, p, userData, &wrong)
	if err != nil {
		return nil, err
	}
	return wrong, c.compareNode(ctx, p, machine, config, &wrong)
}

// compareVirtualMachine compares a virtual machine with its template and returns the data its disk for cloud-init has.
func (c *checker) compareVirtualMachine(ctx context.Context, p *pool, name string, wrong *findings) ([]byte, error) {
	machine, err := c.client.Get(ctx, live.VirtualMachine, c.namespace, name)
	if err != nil {
		return nil, err
	}
	if machine == nil {
		wrong.add("there is no VirtualMachine %s", name)
		return nil, nil
	}
	template, _, _ := unstructured.NestedMap(p.machines.Object, "spec", "template", "spec", "virtualMachineTemplate", "spec")
	for _, path := range [][]string{
		{"runStrategy"}, {"instancetype"}, {"template", "spec", "domain", "cpu"}, {"template", "spec", "domain", "memory"},
		{"template", "spec", "evictionStrategy"}, {"template", "spec", "networks"},
	} {
		want, _, _ := unstructured.NestedFieldCopy(template, path...)
		got, _, _ := unstructured.NestedFieldCopy(machine.Object, append([]string{"spec"}, path...)...)
		if !reflect.DeepEqual(got, want) {
			wrong.add("VirtualMachine: spec.%s is %v, the template says %v", strings.Join(path, "."), got, want)
		}
	}
	wantDisks := len(live.Maps(template, "template", "spec", "domain", "devices", "disks")) + 1
	if got := len(live.Maps(machine.Object, "spec", "template", "spec", "domain", "devices", "disks")); got != wantDisks {
		wrong.add("VirtualMachine: %d disks, not those of the template and one for cloud-init, %d", got, wantDisks)
	}
	for _, volume := range live.Maps(machine.Object, "spec", "template", "spec", "volumes") {
		if secretName := live.String(volume, "cloudInitConfigDrive", "secretRef", "name"); secretName != "" {
			secret, err := c.client.Get(ctx, live.Secret, c.namespace, secretName)
			if err != nil {
				return nil, err
			}
			if secret == nil {
				wrong.add("VirtualMachine: there is no Secret %s with its bootstrap data", secretName)
				return nil, nil
			}
			return live.SecretData(secret, "userdata")
		}
	}
	wrong.add("VirtualMachine: no volume has bootstrap data")
	return nil, nil
}

// compareBootstrapData compares bootstrap data with the KubeadmConfigTemplate of a pool.
func (c *checker) compareBootstrapData(ctx context.Context, p *pool, userData []byte, wrong *findings) (*standins.JoinConfig, error) {
	config, err := standins.ReadJoinConfig(userData)
	if err != nil {
		return nil, err
	}
	cluster, err := c.client.Get(ctx, live.Cluster, c.namespace, c.name)
	if err != nil {
		return nil, err
	}
	endpoint := fmt.Sprintf("%s:%d", live.String(cluster.Object, "spec", "controlPlaneEndpoint", "host"),
		live.Int(cluster.Object, "spec", "controlPlaneEndpoint", "port"))
	if config.Endpoint != endpoint {
		wrong.add("bootstrap data: it joins %s, the Cluster is at %s", config.Endpoint, endpoint)
	}
	spec, _, _ := unstructured.NestedMap(p.bootstrap.Object, "spec", "template", "spec")
	for _, arg := range live.Maps(spec, "joinConfiguration", "nodeRegistration", "kubeletExtraArgs") {
		name, value := live.String(arg, "name"), live.String(arg, "value")
		if config.KubeletArgs[name] != value {
			wrong.add("bootstrap data: the kubelet gets %s=%q, the template says %q", name, config.KubeletArgs[name], value)
		}
	}
	for _, taint := range live.Maps(spec, "joinConfiguration", "nodeRegistration", "taints") {
		wanted := standins.Taint{Key: live.String(taint, "key"), Value: live.String(taint, "value"), Effect: live.String(taint, "effect")}
		if !slices.Contains(config.Taints, wanted) {
			wrong.add("bootstrap data: the node does not register with taint %s", live.String(taint, "key"))
		}
	}
	files, err := standins.Files(userData)
	if err != nil {
		return nil, err
	}
	for _, file := range live.Maps(spec, "files") {
		content := live.String(file, "content")
		if got, found := files[live.String(file, "path")]; content != "" && (!found || strings.TrimSpace(got) != strings.TrimSpace(content)) {
			wrong.add("bootstrap data: file %s is not as in the template", live.String(file, "path"))
		}
	}
	for _, field := range []string{"bootCommands", "preKubeadmCommands", "postKubeadmCommands"} {
		commands, _, _ := unstructured.NestedStringSlice(spec, field)
		for _, command := range commands {
			if !strings.Contains(string(userData), firstLine(command)) {
				wrong.add("bootstrap data: a command of %s is missing: %s", field, firstLine(command))
			}
		}
	}
	return config, nil
}

// compareNode compares the node of a machine with what the machine and the pool say about it.
func (c *checker) compareNode(ctx context.Context, p *pool, machine *live.Object, config *standins.JoinConfig, wrong *findings) error {
	node, err := c.workload.Get(ctx, live.Node, "", live.String(machine.Object, "status", "nodeRef", "name"))
	if err != nil {
		return err
	}
	if node == nil {
		wrong.add("there is no Node")
		return nil
	}
	if got, want := live.String(node.Object, "spec", "providerID"), live.String(machine.Object, "spec", "providerID"); got != want || got == "" {
		wrong.add("Node: provider id is %q, that of the Machine %q", got, want)
	}
	for _, taint := range live.Maps(node.Object, "spec", "taints") {
		if strings.HasSuffix(live.String(taint, "key"), "/uninitialized") {
			wrong.add("Node: nothing has taken away taint %s", live.String(taint, "key"))
		}
	}
	for key, value := range p.machineLabels() {
		if got, found := node.GetLabels()[key]; reachesNode(key) && (!found || got != value) {
			wrong.add("Node: label %s=%q of the pool is missing", key, value)
		}
	}
	for _, pair := range strings.Split(config.KubeletArgs["node-labels"], ",") {
		if key, value, found := strings.Cut(pair, "="); found && node.GetLabels()[key] != value {
			wrong.add("Node: label %s of the kubelet is missing", pair)
		}
	}
	return nil
}

// reachesNode reports whether Cluster API copies a label with this key from a Machine to its Node.
func reachesNode(key string) bool {
	domain, _, found := strings.Cut(key, "/")
	if !found {
		return false
	}
	for _, copied := range []string{"node-restriction.kubernetes.io", "node.cluster.x-k8s.io"} {
		if domain == copied || strings.HasSuffix(domain, "."+copied) {
			return true
		}
	}
	return domain == "node-role.kubernetes.io"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
