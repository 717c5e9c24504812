package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"conformance/internal/live"
)

// TestControlPlaneMoves moves a control plane of Kamaji to another management cluster that reaches the same data store, by what `cdk8s-cluster-api move`
// prints: the Secrets are copied, the former control plane is paused until it has gone. Kamaji's own code keeps authority, password and data. Without the
// pause it deletes the data.
func TestControlPlaneMoves(t *testing.T) {
	from := startMove(t, "default")
	s := from.stores["default"]
	from.ensure(t, parseObject(t, fmt.Sprintf(`{
		"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "acme-ca", "namespace": %q}, "stringData": {"ca.crt": %q, "ca.key": %q}
	}`, tenantNamespace, s.pki.CA, s.pki.CAKey)))
	from.reconcile(t, "done")
	from.issueTenant(t, s)
	for _, key := range []string{"namespaces/default", "pods/web"} {
		s.etcdctl(t, s.members[0], "tenant", "put", tenantPrefix+key, "value")
	}

	to := &move{program: from.program, stores: map[string]*store{}}
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	to.startServer(t, bin)
	to.declareStore(t, "default", s)
	for _, name := range []string{"acme-ca", "acme-datastore-config"} {
		to.ensure(t, carried(from.get(t, secretKind, tenantNamespace, name)))
	}
	from.merge(t, map[string]any{"metadata": map[string]any{"annotations": map[string]any{"kamaji.clastix.io/paused": "moving"}}})
	// As the garbage collector does when clusterctl has deleted the KamajiControlPlane.
	from.delete(t)
	from.reconcile(t, "paused")

	to.createTenant(t, "default")
	to.reconcile(t, "done")
	for _, name := range []string{"acme-ca", "acme-datastore-config"} {
		former, now := from.get(t, secretKind, tenantNamespace, name), to.get(t, secretKind, tenantNamespace, name)
		if !maps.Equal(live.Strings(former.Object, "data"), live.Strings(now.Object, "data")) {
			t.Errorf("the content of %s is another one", name)
		}
	}
	from.merge(t, map[string]any{"metadata": map[string]any{"finalizers": []any{}}})
	if found, err := from.client.Get(t.Context(), tenantKind, tenantNamespace, "acme"); err != nil || found != nil {
		t.Errorf("the former control plane is there: %v", err)
	}
	to.issueTenant(t, s)
	if got := s.tenantKeys(t); got != 2 {
		t.Errorf("the data store has %d keys of the tenant after the move", got)
	}
	s.etcdctl(t, s.members[0], "tenant", "put", tenantPrefix+"pods/new", "value")

	to.delete(t)
	to.reconcile(t, "deleted")
	if got := s.tenantKeys(t); got != 0 {
		t.Errorf("without a pause, %d keys of the tenant are left, so that the test proves nothing", got)
	}
}

// carried is a Secret as the printed filter of jq leaves it.
func carried(secret *live.Object) *live.Object {
	copied := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "type": secret.Object["type"], "data": secret.Object["data"]}}
	copied.SetName(secret.GetName())
	copied.SetNamespace(secret.GetNamespace())
	copied.SetLabels(secret.GetLabels())
	copied.SetAnnotations(secret.GetAnnotations())
	return copied
}

// delete deletes the control plane, which stays as long as it has finalizers.
func (m *move) delete(t *testing.T) {
	t.Helper()
	if err := m.client.Delete(t.Context(), m.get(t, tenantKind, tenantNamespace, "acme")); err != nil {
		t.Fatal(err)
	}
	if m.get(t, tenantKind, tenantNamespace, "acme").GetDeletionTimestamp() == nil {
		t.Fatal("the control plane is not being deleted")
	}
}

// tenantKeys returns how many keys the tenant has.
func (s *store) tenantKeys(t *testing.T) int {
	t.Helper()
	return keys(s.etcdctl(t, s.members[0], "root", "get", "--prefix", "/", "--keys-only"), tenantPrefix)
}
