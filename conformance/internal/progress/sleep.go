package progress

import (
	"context"
	"fmt"
	"strings"
	"time"

	"conformance/internal/live"
)

// volumeTime is longer than Cluster API waits between two looks at volumes that are attached to a node.
const volumeTime = time.Minute

// sleep puts the tenant to sleep by the manifests of its further files and wakes it by the first one: machines go while their nodes can be
// drained and their volumes detached, nothing comes back while the API server is stopped, and the same machines as before come when it
// runs again.
func (c *checker) sleep(ctx context.Context) error {
	kept, err := c.storeVolumes(ctx)
	if err != nil {
		return err
	}
	attachment, err := c.attachVolume(ctx)
	if err != nil {
		return err
	}
	if err := c.overwrite(ctx, c.asleep[0]); err != nil {
		return err
	}
	machine := "the Machine of the node with a volume waits until it is detached"
	if err := c.until(ctx, machine, growTime, c.waitsForVolume(live.String(attachment.Object, "spec", "nodeName"))); err != nil {
		return err
	}
	if err := c.workload.Delete(ctx, attachment); err != nil {
		return err
	}
	if err := c.until(ctx, "no Machine, virtual machine or Node is left", removeTime+volumeTime, c.noMachines); err != nil {
		return err
	}
	for _, state := range c.asleep[1:] {
		if err := c.overwrite(ctx, state); err != nil {
			return err
		}
		if err := c.until(ctx, "the control plane has no replicas", growTime, c.controlPlaneStopped); err != nil {
			return err
		}
	}
	c.apiServer.Stop()
	if err := c.staysAsleep(ctx); err != nil {
		return err
	}
	if err := c.overwrite(ctx, c.tenant); err != nil {
		return err
	}
	if err := c.apiServer.StartAgain(ctx); err != nil {
		return err
	}
	if err := c.grow(ctx); err != nil {
		return err
	}
	return c.compareStored(ctx, kept)
}

// overwrite applies a state of the tenant as a GitOps tool does, which takes sizes over from the autoscaler.
func (c *checker) overwrite(ctx context.Context, state *tenant) error {
	for _, object := range state.objects {
		if _, err := c.client.Overwrite(ctx, object); err != nil {
			return err
		}
	}
	c.note("%s is applied", state.file)
	return nil
}

// stored is an object that nothing may change.
type stored struct {
	client *live.Client
	object *live.Object
}

// storeVolumes creates what a CSI driver has made for a claim of the tenant, and a Service with an address as the cloud controller manager
// makes it.
func (c *checker) storeVolumes(ctx context.Context) ([]stored, error) {
	const size = "1Gi"
	claim := map[string]any{"namespace": "default", "name": "data"}
	service := c.stored("v1", "Service", "load-balancer", map[string]any{"type": "LoadBalancer", "ports": []any{map[string]any{"port": int64(80)}}})
	disk := c.stored("cdi.kubevirt.io/v1beta1", "DataVolume", "pvc-data", map[string]any{
		"source": map[string]any{"blank": map[string]any{}},
		"pvc":    map[string]any{"accessModes": []any{"ReadWriteOnce"}, "resources": map[string]any{"requests": map[string]any{"storage": size}}},
	})
	volume := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "PersistentVolume", "spec": map[string]any{
		"capacity": map[string]any{"storage": size}, "accessModes": []any{"ReadWriteOnce"}, "claimRef": claim,
		"csi": map[string]any{"driver": "csi.kubevirt.io", "volumeHandle": disk.GetName()},
	}}}
	volume.SetName(disk.GetName())
	kept := []stored{{c.client, service}, {c.client, disk}, {c.workload, volume}}
	for _, one := range kept {
		if err := one.client.Ensure(ctx, one.object); err != nil {
			return nil, err
		}
	}
	if err := c.until(ctx, "the Service of the tenant has an address", growTime, func(ctx context.Context) (string, error) {
		found, err := c.client.Get(ctx, live.Service, c.namespace, service.GetName())
		if err != nil || found == nil || len(live.Maps(found.Object, "status", "loadBalancer", "ingress")) == 0 {
			return "its address", err
		}
		return "", nil
	}); err != nil {
		return nil, err
	}
	for i := range kept {
		found, err := kept[i].now(ctx)
		if err != nil {
			return nil, err
		}
		kept[i].object = found
	}
	return kept, nil
}

func (c *checker) stored(apiVersion, kind, name string, spec map[string]any) *live.Object {
	object := &live.Object{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "spec": spec}}
	object.SetName(name)
	object.SetNamespace(c.namespace)
	return object
}

// now reads the object.
func (s stored) now(ctx context.Context) (*live.Object, error) {
	found, err := s.client.Get(ctx, s.object.GroupVersionKind().GroupKind(), s.object.GetNamespace(), s.object.GetName())
	if err == nil && found == nil {
		err = fmt.Errorf("%s %s is gone", s.object.GetKind(), s.object.GetName())
	}
	return found, err
}

// compareStored checks that nothing has touched volumes and Services, and deletes them, as the tenant would.
func (c *checker) compareStored(ctx context.Context, kept []stored) error {
	var names []string
	for _, one := range kept {
		found, err := one.now(ctx)
		if err != nil {
			return err
		}
		if found.GetUID() != one.object.GetUID() || found.GetResourceVersion() != one.object.GetResourceVersion() || live.IsDeleting(found) {
			return fmt.Errorf("%s %s was changed while the tenant slept", found.GetKind(), found.GetName())
		}
		if err := one.client.Delete(ctx, found); err != nil {
			return err
		}
		names = append(names, found.GetKind())
	}
	c.note("untouched are %s", strings.Join(names, ", "))
	return nil
}

// attachVolume attaches the volume to a node of the tenant.
func (c *checker) attachVolume(ctx context.Context) (*live.Object, error) {
	nodes, err := c.workload.List(ctx, live.Node, "", nil)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, fmt.Errorf("the tenant has no node that a volume could be attached to")
	}
	attachment := &live.Object{Object: map[string]any{"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "spec": map[string]any{
		"attacher": "csi.kubevirt.io", "nodeName": nodes[0].GetName(), "source": map[string]any{"persistentVolumeName": "pvc-data"},
	}}}
	attachment.SetName("csi-data")
	if err := c.workload.Ensure(ctx, attachment); err != nil {
		return nil, err
	}
	return attachment, c.workload.Merge(ctx, attachment, map[string]any{"status": map[string]any{"attached": true}}, "status")
}

// waitsForVolume is the goal that the Machine of a node is drained and still there, since a volume is attached.
func (c *checker) waitsForVolume(node string) goal {
	return func(ctx context.Context) (string, error) {
		machines, err := c.client.List(ctx, live.Machine, c.namespace, c.labels())
		if err != nil {
			return "", err
		}
		for i := range machines {
			if live.String(machines[i].Object, "status", "nodeRef", "name") != node {
				continue
			}
			if live.String(machines[i].Object, "status", "deletion", "waitForNodeVolumeDetachStartTime") != "" {
				return "", nil
			}
			return live.Describe(&machines[i]), nil
		}
		return "", &violation{fmt.Sprintf("the Machine of node %s is gone, with a volume attached", node)}
	}
}

func (c *checker) noMachines(ctx context.Context) (string, error) {
	missing, err := c.leftMachines(ctx)
	if err != nil {
		return "", err
	}
	nodes, err := c.workload.List(ctx, live.Node, "", nil)
	if err != nil {
		return "", err
	}
	for i := range nodes {
		missing.add("Node %s", nodes[i].GetName())
	}
	return missing.String(), nil
}

// leftMachines names Machines, virtual machines and their disks.
func (c *checker) leftMachines(ctx context.Context) (findings, error) {
	var left findings
	machines, err := c.client.List(ctx, live.Machine, c.namespace, c.labels())
	if err != nil {
		return nil, err
	}
	virtualMachines, err := c.client.List(ctx, live.VirtualMachine, c.namespace, c.labels())
	if err != nil {
		return nil, err
	}
	for _, object := range append(machines, virtualMachines...) {
		left.add("%s", live.Describe(&object))
	}
	return left, nil
}

func (c *checker) controlPlaneStopped(ctx context.Context) (string, error) {
	controlPlane, err := c.client.Get(ctx, live.KamajiControlPlane, c.namespace, live.String(c.cluster.Object, "spec", "controlPlaneRef", "name"))
	if err != nil || controlPlane == nil {
		return "the control plane", err
	}
	if live.Bool(controlPlane.Object, "status", "ready") || live.Int(controlPlane.Object, "status", "replicas") != 0 {
		return live.Describe(controlPlane), nil
	}
	return "", nil
}

// staysAsleep checks for a while that no machine comes and no size changes.
func (c *checker) staysAsleep(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(settleTime):
	}
	left, err := c.leftMachines(ctx)
	if err != nil {
		return err
	}
	for _, p := range c.pools {
		deployment, err := c.client.Get(ctx, live.MachineDeployment, c.namespace, p.name())
		if err != nil {
			return err
		}
		if got := live.Int(deployment.Object, "spec", "replicas"); got != 0 {
			left.add("pool %s has %d replicas", p.name(), got)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("the tenant does not stay asleep:\n    %s", strings.ReplaceAll(left.String(), "\n", "\n    "))
	}
	c.note("without an API server, nothing comes back")
	return nil
}
