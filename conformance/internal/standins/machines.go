package standins

import (
	"context"
	"fmt"
	"hash/fnv"
	"net/netip"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"conformance/internal/live"
)

// machineFinalizer is KubeVirt's, with which a VirtualMachine outlives its instance.
const machineFinalizer = "kubevirt.io/virtualMachineControllerFinalize"

// stepMachines plays KubeVirt on the VirtualMachines of the cluster: disks from templates, and an instance that runs at once.
func (s *StandIns) stepMachines(ctx context.Context) error {
	machines, err := s.Client.List(ctx, live.VirtualMachine, s.Namespace, s.labels())
	if err != nil {
		return err
	}
	for i := range machines {
		machine := &machines[i]
		if live.IsDeleting(machine) {
			err = s.stopMachine(ctx, machine)
		} else {
			err = s.runMachine(ctx, machine)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runMachine creates the disks and the instance of a machine that has not run yet.
func (s *StandIns) runMachine(ctx context.Context, machine *live.Object) error {
	if strategy := live.String(machine.Object, "spec", "runStrategy"); strategy == "Halted" || strategy == "Manual" {
		return nil
	}
	if live.Bool(machine.Object, "status", "created") {
		return nil
	}
	if !slices.Contains(machine.GetFinalizers(), machineFinalizer) {
		finalizers := append(machine.GetFinalizers(), machineFinalizer)
		return s.Client.Merge(ctx, machine, map[string]any{"metadata": map[string]any{"finalizers": finalizers}})
	}
	for _, template := range live.Maps(machine.Object, "spec", "dataVolumeTemplates") {
		if err := s.fillDisk(ctx, machine, template); err != nil {
			return err
		}
	}
	if err := s.Client.Ensure(ctx, s.newInstance(machine)); err != nil {
		return err
	}
	status := map[string]any{"created": true, "ready": true, "printableStatus": "Running"}
	return s.Client.Merge(ctx, machine, map[string]any{"status": status}, "status")
}

// fillDisk creates a DataVolume from a template of the machine and reports it as imported.
func (s *StandIns) fillDisk(ctx context.Context, machine *live.Object, template map[string]any) error {
	disk := &live.Object{Object: map[string]any{"apiVersion": "cdi.kubevirt.io/v1beta1", "kind": "DataVolume", "spec": template["spec"]}}
	disk.SetName(live.String(template, "metadata", "name"))
	disk.SetNamespace(machine.GetNamespace())
	disk.SetOwnerReferences([]metav1.OwnerReference{live.OwnerRef(machine)})
	if err := s.Client.Ensure(ctx, disk); err != nil {
		return err
	}
	if s.Tenant == nil {
		return nil // stepDisks fills it.
	}
	return s.Client.Merge(ctx, disk, map[string]any{"status": map[string]any{"phase": "Succeeded"}}, "status")
}

// stopMachine deletes the instance and lets the machine go when there is none.
func (s *StandIns) stopMachine(ctx context.Context, machine *live.Object) error {
	instance, err := s.Client.Get(ctx, live.VirtualMachineInstance, machine.GetNamespace(), machine.GetName())
	if err != nil {
		return err
	}
	if instance != nil && s.isLost(instance) {
		return nil
	}
	if instance != nil {
		return s.Client.Delete(ctx, instance)
	}
	finalizers := slices.DeleteFunc(machine.GetFinalizers(), func(name string) bool { return name == machineFinalizer })
	return s.Client.Merge(ctx, machine, map[string]any{"metadata": map[string]any{"finalizers": finalizers}})
}

// newInstance returns the running instance of a machine.
func (s *StandIns) newInstance(machine *live.Object) *live.Object {
	spec, _ := machine.Object["spec"].(map[string]any)["template"].(map[string]any)["spec"]
	ip := s.address(machine.GetName())
	instance := &live.Object{Object: map[string]any{
		"apiVersion": machine.GetAPIVersion(),
		"kind":       live.VirtualMachineInstance.Kind,
		"spec":       spec,
		"status": map[string]any{
			"phase":      "Running",
			"nodeName":   s.Host,
			"interfaces": []any{map[string]any{"name": "default", "ipAddress": ip, "ipAddresses": []any{ip}}},
			"conditions": []any{
				map[string]any{"type": "Ready", "status": "True"},
				map[string]any{"type": "LiveMigratable", "status": "False", "reason": "DisksNotLiveMigratable", "message": "a stand-in"},
			},
		},
	}}
	instance.SetName(machine.GetName())
	instance.SetNamespace(machine.GetNamespace())
	instance.SetLabels(labelsOfTemplate(machine))
	instance.SetOwnerReferences([]metav1.OwnerReference{live.OwnerRef(machine)})
	return instance
}

// labelsOfTemplate returns the labels that instances of a machine get.
func labelsOfTemplate(machine *live.Object) map[string]string {
	labels := map[string]string{}
	template, _ := machine.Object["spec"].(map[string]any)["template"].(map[string]any)["metadata"].(map[string]any)
	fields, _ := template["labels"].(map[string]any)
	for key, value := range fields {
		labels[key] = fmt.Sprint(value)
	}
	return labels
}

// address returns an address for a name: of the loopback interface, so that whoever tries to reach the machine stays on this one, or of the range.
func (s *StandIns) address(name string) string {
	hash := fnv.New32a()
	hash.Write([]byte(name))
	sum := hash.Sum32()
	if !s.Machines.IsValid() {
		return fmt.Sprintf("127.%d.%d.%d", 100+sum>>16%100, sum>>8%256, 1+sum%254)
	}
	bytes := s.Machines.Addr().As4()
	bytes[2], bytes[3] = bytes[2]+byte(sum>>8%100), byte(1+sum%254)
	return netip.AddrFrom4(bytes).String()
}
