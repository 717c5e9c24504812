package alive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/process"
)

var (
	attachmentKind = schema.GroupKind{Group: "storage.k8s.io", Kind: "VolumeAttachment"}
	claimKind      = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	classKind      = schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}
	podKind        = schema.GroupKind{Kind: "Pod"}
	snapshotKind   = schema.GroupKind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}
	volumeKind     = schema.GroupKind{Kind: "PersistentVolume"}
)

const (
	kubevirtDriver = "csi.kubevirt.io"
	// storageLimit is how long a change of a volume may take: its sidecars try again after some seconds, and later after more.
	storageLimit = 2 * time.Minute
)

// storageSteps are what the CSI driver of a KubeVirt tenant does.
func (t *tenant) storageSteps() []step {
	if !t.hasDeployment("csi-driver") {
		return nil
	}
	return []step{
		{"the driver of volumes runs on all machines", t.awaitNodeDriver},
		{"the tenant has what snapshots need", t.startSnapshots},
		{"a claim of the tenant has a volume on the node of its pod", t.attach},
		{"the volume grows", t.grow},
		{"a snapshot of it is ready", t.snapshot},
		{"a claim is restored from the snapshot", t.restore},
		{"the volumes go with their claims", t.release},
	}
}

// storageClass is the class of KubeVirt's driver in the tenant, or nil.
func storageClass(ctx context.Context, client *live.Client) (*live.Object, error) {
	classes, err := client.List(ctx, classKind, "", nil)
	for i := range classes {
		if live.String(classes[i].Object, "provisioner") == kubevirtDriver {
			return &classes[i], nil
		}
	}
	return nil, err
}

// startSnapshots runs the snapshot controller, whose pods are played, once its definitions and the classes are delivered.
func (t *tenant) startSnapshots(ctx context.Context) error {
	if err := t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		if _, err := client.List(ctx, snapshotKind, "default", nil); err != nil {
			return "", err
		}
		if class, err := storageClass(ctx, client); err != nil || class == nil {
			return "no StorageClass has the provisioner " + kubevirtDriver, err
		}
		return "", nil
	}); err != nil {
		return err
	}
	secret, err := t.client.Get(ctx, live.Secret, t.namespace(), t.name()+"-kubeconfig")
	if err != nil || secret == nil {
		return fmt.Errorf("find the kubeconfig of the tenant: %w", err)
	}
	kubeconfig, err := live.SecretData(secret, "value")
	if err != nil {
		return err
	}
	file := filepath.Join(t.Dir, t.name()+".kubeconfig")
	if err := os.WriteFile(file, kubeconfig, 0o600); err != nil {
		return fmt.Errorf("write the kubeconfig of the tenant: %w", err)
	}
	controller, err := process.Start("snapshot-controller", t.Dir, filepath.Join(t.Bin, "snapshot-controller"), "--kubeconfig="+file)
	if err != nil {
		return err
	}
	t.processes = append(t.processes, controller)
	return nil
}

// newClaim is a claim of the tenant, perhaps of what a snapshot has.
func newClaim(name, class, size, snapshot string) *live.Object {
	spec := map[string]any{
		"accessModes": []any{"ReadWriteOnce"}, "storageClassName": class, "resources": map[string]any{"requests": map[string]any{"storage": size}},
	}
	if snapshot != "" {
		spec["dataSource"] = map[string]any{"apiGroup": snapshotKind.Group, "kind": snapshotKind.Kind, "name": snapshot}
	}
	claim := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": claimKind.Kind, "spec": spec}}
	claim.SetNamespace("default")
	claim.SetName(name)
	return claim
}

// newPod is a pod of the tenant that uses a claim of its own name. It runs on any node.
func newPod(name string) *live.Object {
	pod := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": podKind.Kind, "spec": map[string]any{
		"tolerations": []any{map[string]any{"operator": "Exists"}},
		"containers": []any{map[string]any{
			"name": "main", "image": "registry.example.com/played:1", "volumeMounts": []any{map[string]any{"name": "data", "mountPath": "/data"}},
		}},
		"volumes": []any{map[string]any{"name": "data", "persistentVolumeClaim": map[string]any{"claimName": name}}},
	}}}
	pod.SetNamespace("default")
	pod.SetName(name)
	return pod
}

// attach makes a claim and a pod, and waits until the disk is plugged into the machine on which the pod runs.
func (t *tenant) attach(ctx context.Context) error { return t.useClaim(ctx, "data", "") }

func (t *tenant) restore(ctx context.Context) error { return t.useClaim(ctx, "restored", "data") }

func (t *tenant) useClaim(ctx context.Context, name, snapshot string) error {
	return t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		class, err := storageClass(ctx, client)
		if err != nil || class == nil {
			return "there is no StorageClass", err
		}
		size := "1Gi"
		if snapshot != "" {
			size = "2Gi"
		}
		for _, object := range []*live.Object{newClaim(name, class.GetName(), size, snapshot), newPod(name)} {
			if err := client.Ensure(ctx, object); err != nil {
				return "", err
			}
		}
		volume, missing, err := volumeOf(ctx, client, name)
		if err != nil || missing != "" {
			return missing, err
		}
		disk, err := t.client.Get(ctx, live.DataVolume, t.namespace(), live.String(volume.Object, "spec", "csi", "volumeHandle"))
		if err != nil || disk == nil {
			return "there is no DataVolume for volume " + volume.GetName(), err
		}
		pod, err := client.Get(ctx, podKind, "default", name)
		if err != nil || pod == nil {
			return "there is no Pod " + name, err
		}
		node := live.String(pod.Object, "spec", "nodeName")
		if node == "" {
			return "Pod " + name + " is on no node: " + live.Describe(pod), nil
		}
		if missing, err := attachedTo(ctx, client, volume.GetName(), node); err != nil || missing != "" {
			return missing, err
		}
		return t.pluggedInto(ctx, node, disk.GetName())
	})
}

// volumeOf returns the volume of a claim, or what is missing.
func volumeOf(ctx context.Context, client *live.Client, name string) (volume *live.Object, missing string, err error) {
	claim, err := client.Get(ctx, claimKind, "default", name)
	if err != nil || claim == nil {
		return nil, "there is no claim " + name, err
	}
	if phase := live.String(claim.Object, "status", "phase"); phase != "Bound" {
		return nil, "claim " + name + " is " + phase, nil
	}
	volume, err = client.Get(ctx, volumeKind, "", live.String(claim.Object, "spec", "volumeName"))
	if err != nil || volume == nil {
		return nil, "claim " + name + " has no volume", err
	}
	return volume, "", nil
}

func attachedTo(ctx context.Context, client *live.Client, volume, node string) (missing string, err error) {
	attachments, err := client.List(ctx, attachmentKind, "", nil)
	if err != nil {
		return "", err
	}
	for i := range attachments {
		spec := attachments[i].Object
		if live.String(spec, "spec", "source", "persistentVolumeName") == volume && live.String(spec, "spec", "nodeName") == node {
			if live.Bool(spec, "status", "attached") {
				return "", nil
			}
			return "volume " + volume + " is not attached: " + live.String(spec, "status", "attachError", "message"), nil
		}
	}
	return "volume " + volume + " is to be attached to no node", nil
}

// pluggedInto returns what is missing until a machine has a disk, in its running instance and, for its next start, in its template.
func (t *tenant) pluggedInto(ctx context.Context, machine, disk string) (missing string, err error) {
	instance, err := t.client.Get(ctx, live.VirtualMachineInstance, t.namespace(), machine)
	if err != nil || instance == nil {
		return "there is no virtual machine " + machine, err
	}
	template, err := t.client.Get(ctx, live.VirtualMachine, t.namespace(), machine)
	if err != nil || template == nil {
		return "there is no virtual machine " + machine, err
	}
	if !hasVolume(instance, disk, "spec", "volumes") || !hasVolume(template, disk, "spec", "template", "spec", "volumes") {
		return "machine " + machine + " does not have the disk " + disk, nil
	}
	return "", nil
}

func hasVolume(object *live.Object, name string, path ...string) bool {
	for _, volume := range live.Maps(object.Object, path...) {
		if live.String(volume, "name") == name {
			return true
		}
	}
	return false
}

// grow asks for more, and waits until the volume and its disk are greater. The file system grows on the node, which is played.
func (t *tenant) grow(ctx context.Context) error {
	return t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		size := map[string]any{"resources": map[string]any{"requests": map[string]any{"storage": "2Gi"}}}
		if err := client.Merge(ctx, newClaim("data", "", "", ""), map[string]any{"spec": size}); err != nil {
			return "", err
		}
		volume, missing, err := volumeOf(ctx, client, "data")
		if err != nil || missing != "" {
			return missing, err
		}
		if got := live.String(volume.Object, "spec", "capacity", "storage"); !isSize(got, "2Gi") {
			return "the volume has " + got, nil
		}
		disk, err := t.client.Get(ctx, claimKind, t.namespace(), live.String(volume.Object, "spec", "csi", "volumeHandle"))
		if err != nil || disk == nil {
			return "there is no claim of its disk", err
		}
		if got := live.String(disk.Object, "status", "capacity", "storage"); !isSize(got, "2Gi") {
			return "the disk has " + got, nil
		}
		return "", nil
	})
}

// isSize compares two quantities, however they are written.
func isSize(got, want string) bool {
	quantity, err := resource.ParseQuantity(got)
	return err == nil && quantity.Cmp(resource.MustParse(want)) == 0
}

// snapshot takes one of the first claim, with the default class.
func (t *tenant) snapshot(ctx context.Context) error {
	snapshot := &live.Object{Object: map[string]any{
		"apiVersion": snapshotKind.Group + "/v1", "kind": snapshotKind.Kind,
		"spec": map[string]any{"source": map[string]any{"persistentVolumeClaimName": "data"}},
	}}
	snapshot.SetNamespace("default")
	snapshot.SetName("data")
	return t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		if err := client.Ensure(ctx, snapshot); err != nil {
			return "", err
		}
		found, err := client.Get(ctx, snapshotKind, "default", "data")
		if err != nil || found == nil {
			return "there is no VolumeSnapshot", err
		}
		if !live.Bool(found.Object, "status", "readyToUse") {
			return "the VolumeSnapshot is not ready: " + live.String(found.Object, "status", "error", "message"), nil
		}
		taken, err := t.client.List(ctx, snapshotKind, t.namespace(), nil)
		if err != nil || len(taken) == 0 {
			return "the management cluster has no VolumeSnapshot", err
		}
		return "", nil
	})
}

// release deletes everything, and waits until the machines have no disks of the tenant's volumes, and the management cluster neither.
func (t *tenant) release(ctx context.Context) error {
	return t.awaitInTenant(ctx, storageLimit, func(client *live.Client) (string, error) {
		for _, name := range []string{"data", "restored"} {
			if err := client.Delete(ctx, newPod(name)); err != nil {
				return "", err
			}
			if err := client.Delete(ctx, newClaim(name, "", "", "")); err != nil {
				return "", err
			}
		}
		snapshot := newClaim("data", "", "", "")
		snapshot.SetAPIVersion(snapshotKind.Group + "/v1")
		snapshot.SetKind(snapshotKind.Kind)
		if err := client.Delete(ctx, snapshot); err != nil {
			return "", err
		}
		for _, kind := range []schema.GroupKind{attachmentKind, volumeKind} {
			if left, err := client.List(ctx, kind, "", nil); err != nil || len(left) > 0 {
				return fmt.Sprintf("the tenant has objects of kind %s left: %d", kind.Kind, len(left)), err
			}
		}
		for _, kind := range []schema.GroupKind{snapshotKind, live.DataVolume} {
			left, err := t.client.List(ctx, kind, t.namespace(), nil)
			if err != nil {
				return "", err
			}
			for i := range left {
				if !live.HasOwner(&left[i], live.VirtualMachine.Kind) {
					return kind.Kind + " " + left[i].GetName() + " is still there", nil
				}
			}
		}
		return "", nil
	})
}
