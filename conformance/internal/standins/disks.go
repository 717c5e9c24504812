package standins

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

var (
	claimKind    = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	volumeKind   = schema.GroupKind{Kind: "PersistentVolume"}
	snapshotKind = schema.GroupKind{Group: "snapshot.storage.k8s.io", Kind: "VolumeSnapshot"}
)

// playedLabel marks what only stand-ins know.
const playedLabel = "conformance/played"

// stepDisks plays CDI on the DataVolumes of the namespace: a claim for each, filled at once, whatever its source.
func (s *StandIns) stepDisks(ctx context.Context) error {
	disks, err := s.Client.List(ctx, live.DataVolume, s.Namespace, nil)
	if err != nil {
		return err
	}
	for i := range disks {
		disk := &disks[i]
		if live.IsDeleting(disk) || live.String(disk.Object, "status", "phase") == "Succeeded" {
			continue
		}
		if err := s.Client.Ensure(ctx, newClaim(disk)); err != nil {
			return err
		}
		status := map[string]any{"phase": "Succeeded", "progress": "100.0%", "claimName": disk.GetName()}
		if err := s.Client.Merge(ctx, disk, map[string]any{"status": status}, "status"); err != nil {
			return err
		}
	}
	return nil
}

// newClaim returns the claim of a DataVolume.
func newClaim(disk *live.Object) *live.Object {
	wanted, _ := disk.Object["spec"].(map[string]any)["storage"].(map[string]any)
	if wanted == nil {
		wanted, _ = disk.Object["spec"].(map[string]any)["pvc"].(map[string]any)
	}
	spec := map[string]any{"accessModes": []any{"ReadWriteOnce"}}
	for _, field := range []string{"accessModes", "resources", "storageClassName", "volumeMode"} {
		if value, found := wanted[field]; found {
			spec[field] = value
		}
	}
	claim := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": claimKind.Kind, "spec": spec}}
	claim.SetName(disk.GetName())
	claim.SetNamespace(disk.GetNamespace())
	claim.SetLabels(disk.GetLabels())
	claim.SetOwnerReferences([]metav1.OwnerReference{live.OwnerRef(disk)})
	return claim
}

// stepClaims plays the storage of the management cluster: a volume for each claim, as great as the claim asks, and none for a claim that is gone.
func (s *StandIns) stepClaims(ctx context.Context) error {
	claims, err := s.Client.List(ctx, claimKind, s.Namespace, nil)
	if err != nil {
		return err
	}
	for i := range claims {
		claim := &claims[i]
		size := live.String(claim.Object, "spec", "resources", "requests", "storage")
		switch {
		case live.IsDeleting(claim):
		case live.String(claim.Object, "spec", "volumeName") == "":
			err = s.Client.Ensure(ctx, newVolume(claim, size))
		case live.String(claim.Object, "status", "phase") == "Bound" && isGreater(size, live.String(claim.Object, "status", "capacity", "storage")):
			err = s.expand(ctx, claim, size)
		}
		if err != nil {
			return err
		}
	}
	volumes, err := s.Client.List(ctx, volumeKind, "", map[string]string{playedLabel: s.Namespace})
	if err != nil {
		return err
	}
	for i := range volumes {
		if live.String(volumes[i].Object, "status", "phase") == "Released" {
			if err := s.Client.Delete(ctx, &volumes[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// newVolume returns a volume for a claim, which the controllers of Kubernetes bind to it.
func newVolume(claim *live.Object, size string) *live.Object {
	spec := map[string]any{
		"accessModes": claim.Object["spec"].(map[string]any)["accessModes"],
		"capacity":    map[string]any{"storage": size},
		"claimRef": map[string]any{
			"apiVersion": "v1", "kind": claimKind.Kind, "namespace": claim.GetNamespace(), "name": claim.GetName(), "uid": string(claim.GetUID()),
		},
		"persistentVolumeReclaimPolicy": "Retain", // stepClaims removes what is released.
		"hostPath":                      map[string]any{"path": "/nowhere"},
	}
	for _, field := range []string{"storageClassName", "volumeMode"} {
		if value := live.String(claim.Object, "spec", field); value != "" {
			spec[field] = value
		}
	}
	volume := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": volumeKind.Kind, "spec": spec}}
	volume.SetName(fmt.Sprintf("played-%s", claim.GetUID()))
	volume.SetLabels(map[string]string{playedLabel: claim.GetNamespace()})
	return volume
}

// expand meets a greater request.
func (s *StandIns) expand(ctx context.Context, claim *live.Object, size string) error {
	volume, err := s.Client.Get(ctx, volumeKind, "", live.String(claim.Object, "spec", "volumeName"))
	if err != nil || volume == nil {
		return err
	}
	capacity := map[string]any{"capacity": map[string]any{"storage": size}}
	if err := s.Client.Merge(ctx, volume, map[string]any{"spec": capacity}); err != nil {
		return err
	}
	return s.Client.Merge(ctx, claim, map[string]any{"status": capacity}, "status")
}

// isGreater compares two quantities. A size that cannot be read is not greater.
func isGreater(a, b string) bool {
	first, err := resource.ParseQuantity(a)
	if err != nil {
		return false
	}
	second, err := resource.ParseQuantity(b)
	return err == nil && first.Cmp(second) > 0
}

// stepSnapshots plays the snapshot controller of the management cluster.
func (s *StandIns) stepSnapshots(ctx context.Context) error {
	snapshots, err := s.Client.List(ctx, snapshotKind, s.Namespace, nil)
	if err != nil {
		return err
	}
	for i := range snapshots {
		snapshot := &snapshots[i]
		if live.Bool(snapshot.Object, "status", "readyToUse") {
			continue
		}
		claim, err := s.Client.Get(ctx, claimKind, s.Namespace, live.String(snapshot.Object, "spec", "source", "persistentVolumeClaimName"))
		if err != nil {
			return err
		}
		if claim == nil {
			continue // Nothing to take a snapshot of.
		}
		if err := s.Client.Merge(ctx, snapshot, map[string]any{"status": map[string]any{
			"readyToUse": true, "creationTime": time.Now().UTC().Format(time.RFC3339), "boundVolumeSnapshotContentName": "played-" + string(snapshot.GetUID()),
			"restoreSize": live.String(claim.Object, "status", "capacity", "storage"),
		}}, "status"); err != nil {
			return err
		}
	}
	return nil
}
