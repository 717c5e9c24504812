package standins

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"conformance/internal/live"
)

// stepControlPlane plays Kamaji and its provider on a KamajiControlPlane that a Cluster has adopted. Deletion needs no work:
// without a reference to another cluster the provider holds no finalizer, and what it wrote goes with its owner.
func (s *StandIns) stepControlPlane(ctx context.Context) error {
	cluster, err := s.Client.Get(ctx, live.Cluster, s.Namespace, s.Cluster)
	if err != nil || cluster == nil || live.String(cluster.Object, "spec", "controlPlaneRef", "kind") != live.KamajiControlPlane.Kind {
		return err
	}
	name := live.String(cluster.Object, "spec", "controlPlaneRef", "name")
	controlPlane, err := s.Client.Get(ctx, live.KamajiControlPlane, s.Namespace, name)
	if err != nil || controlPlane == nil || live.IsDeleting(controlPlane) || !live.HasOwner(controlPlane, live.Cluster.Kind) {
		return err
	}
	for _, secret := range s.controlPlaneSecrets(controlPlane) {
		if err := s.Client.Ensure(ctx, secret); err != nil {
			return err
		}
	}
	if err := s.writeEndpoint(ctx, cluster, controlPlane); err != nil {
		return err
	}
	return s.writeControlPlaneStatus(ctx, controlPlane)
}

// writeEndpoint writes the address of the API server where the provider writes it for machines of KubeVirt, and marks their
// infrastructure as ready: with its annotation managed-by, the infrastructure provider leaves both to others.
func (s *StandIns) writeEndpoint(ctx context.Context, cluster, controlPlane *live.Object) error {
	endpoint := map[string]any{"controlPlaneEndpoint": map[string]any{"host": s.tenant.Host, "port": s.tenant.Port}}
	if live.String(controlPlane.Object, "spec", "controlPlaneEndpoint", "host") == "" {
		if err := s.Client.Merge(ctx, controlPlane, map[string]any{"spec": endpoint}); err != nil {
			return err
		}
	}
	if live.String(cluster.Object, "spec", "infrastructureRef", "kind") != live.KubevirtCluster.Kind {
		return nil
	}
	infrastructure, err := s.Client.Get(ctx, live.KubevirtCluster, s.Namespace, live.String(cluster.Object, "spec", "infrastructureRef", "name"))
	if err != nil || infrastructure == nil || live.Bool(infrastructure.Object, "status", "ready") {
		return err
	}
	if err := s.Client.Merge(ctx, infrastructure, map[string]any{"spec": endpoint}); err != nil {
		return err
	}
	return s.Client.Merge(ctx, infrastructure, map[string]any{"status": map[string]any{"ready": true}}, "status")
}

// writeControlPlaneStatus reports that every replica of the version asked for is ready. Without replicas, the control plane is not.
func (s *StandIns) writeControlPlaneStatus(ctx context.Context, controlPlane *live.Object) error {
	version, replicas := live.String(controlPlane.Object, "spec", "version"), live.Int(controlPlane.Object, "spec", "replicas")
	status := controlPlane.Object
	if live.String(status, "status", "version") == version && live.Int(status, "status", "readyReplicas") == replicas {
		return nil
	}
	now, ready := time.Now(), "True"
	if replicas == 0 {
		ready = "False"
	}
	return s.Client.Merge(ctx, controlPlane, map[string]any{"status": map[string]any{
		"initialization":              map[string]any{"controlPlaneInitialized": true},
		"ready":                       replicas > 0,
		"version":                     version,
		"externalManagedControlPlane": true,
		"selector":                    "kamaji.clastix.io/name=" + controlPlane.GetName(),
		"replicas":                    replicas,
		"readyReplicas":               replicas,
		"availableReplicas":           replicas,
		"upToDateReplicas":            replicas,
		"conditions": []any{
			condition("Available", ready, "KamajiControlPlaneReady", now),
			condition("KamajiControlPlaneIsInitialized", "True", "KamajiControlPlaneInitialized", now),
			condition("KamajiControlPlaneIsReady", ready, "KamajiControlPlaneReady", now),
		},
	}}, "status")
}

// controlPlaneSecrets returns the Secrets that others read: the authority and the kubeconfigs of the control plane
// and, under the names that Cluster API knows, of the cluster.
func (s *StandIns) controlPlaneSecrets(controlPlane *live.Object) []*live.Object {
	name := controlPlane.GetName()
	authority := map[string][]byte{"ca.crt": s.tenant.CA, "ca.key": s.tenant.CAKey, "tls.crt": s.tenant.CA, "tls.key": s.tenant.CAKey}
	secrets := []*live.Object{
		s.secret(controlPlane, name+"-ca", "Opaque", kamajiLabels(name, "ca"), authority),
		s.secret(controlPlane, name+"-admin-kubeconfig", "Opaque", kamajiLabels(name, "kubeconfig"), map[string][]byte{
			"admin.conf":       s.tenant.Kubeconfig,
			"admin.svc":        s.tenant.Kubeconfig,
			"super-admin.conf": s.tenant.Kubeconfig,
			"super-admin.svc":  s.tenant.Kubeconfig,
		}),
		s.secret(controlPlane, s.Cluster+"-kubeconfig", clusterSecretType, s.labels(), map[string][]byte{"value": s.tenant.Kubeconfig}),
	}
	if name != s.Cluster {
		secrets = append(secrets, s.secret(controlPlane, s.Cluster+"-ca", clusterSecretType, s.labels(), authority))
	}
	return secrets
}

// clusterSecretType is the type of Secrets that Cluster API's contract names.
const clusterSecretType = "cluster.x-k8s.io/secret"

func (s *StandIns) secret(owner *live.Object, name, kind string, labels map[string]string, content map[string][]byte) *live.Object {
	data := make(map[string]any, len(content))
	for key, value := range content {
		data[key] = string(value)
	}
	secret := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "type": kind, "stringData": data}}
	secret.SetName(name)
	secret.SetNamespace(s.Namespace)
	secret.SetLabels(labels)
	secret.SetOwnerReferences([]metav1.OwnerReference{live.OwnerRef(owner)})
	return secret
}

func kamajiLabels(name, component string) map[string]string {
	return map[string]string{
		"kamaji.clastix.io/project":   "kamaji",
		"kamaji.clastix.io/name":      name,
		"kamaji.clastix.io/component": component,
	}
}

// condition returns a condition as the API machinery writes it.
func condition(kind, status, reason string, since time.Time) map[string]any {
	return map[string]any{
		"type": kind, "status": status, "reason": reason, "message": fmt.Sprintf("%s by a stand-in", kind),
		"lastTransitionTime": since.UTC().Format(time.RFC3339),
	}
}
