package gitops

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

const (
	lockedTenant = "locked"
	// entryAccount is the account of the entry points, which has all rights in the management cluster.
	entryAccount = "kustomize-controller"
)

var resourceSet = schema.GroupKind{Group: "addons.cluster.x-k8s.io", Kind: "ClusterResourceSet"}

// TestLockdown delivers a tenant by FluxMode.lockdown with a Flux that has the flags of multi-tenancy lockdown. What comes before Flux is played: the ClusterResourceSet
// with the rights in the tenant.
func TestLockdown(t *testing.T) {
	f := &fleet{names: []string{lockedTenant}, locked: true}
	f.start(t)
	tenant := "tenant-" + lockedTenant
	f.ensure(binding(namespace, entryAccount))
	f.ensure(binding(tenant, "flux"))
	source := f.repository.Sync()[0]
	source.SetName("fleet")
	source.SetNamespace(tenant)
	f.ensure(source)
	f.page("one")

	f.await(Kustomization, tenant, lockedTenant+"-workloads", Failed("forbidden"))
	f.applyResourceSets(t)
	f.awaitRevision("one", installLimit)
	f.page("two")
	f.awaitRevision("two", entryInterval/2)

	// Without the mode, neither sources of other namespaces nor the rights of the controllers.
	foreign := f.kustomization(tenant, "foreign", map[string]any{"serviceAccountName": "flux"})
	f.ensure(foreign)
	f.await(Kustomization, tenant, "foreign", Failed("can't access"))
}

// lock gives an object of Flux the account of the entry points.
func (f *fleet) lock(object *live.Object) {
	if object.GetKind() == Kustomization.Kind {
		object.Object["spec"].(map[string]any)["serviceAccountName"] = entryAccount
	}
}

// binding gives an account all rights.
func binding(namespace, account string) *live.Object {
	return &live.Object{Object: map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": namespace + "-" + account},
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": account, "namespace": namespace}},
	}}
}

// kustomization returns one that reads the source of Flux's own namespace.
func (f *fleet) kustomization(namespace, name string, spec map[string]any) *live.Object {
	object := f.repository.Sync()[1]
	object.SetName(name)
	object.SetNamespace(namespace)
	fields := object.Object["spec"].(map[string]any)
	fields["sourceRef"].(map[string]any)["namespace"] = "flux-system"
	for field, value := range spec {
		fields[field] = value
	}
	return object
}

// applyResourceSets plays Cluster API: what ClusterResourceSets name is applied in the tenant.
func (f *fleet) applyResourceSets(t *testing.T) {
	t.Helper()
	var applied int
	for limit := time.Now().Add(time.Minute); applied == 0 && time.Now().Before(limit); time.Sleep(time.Second) {
		sets, err := f.client.List(t.Context(), resourceSet, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets {
			for _, resource := range live.Maps(set.Object, "spec", "resources") {
				named, err := f.client.Get(t.Context(), schema.GroupKind{Kind: live.String(resource, "kind")}, set.GetNamespace(), live.String(resource, "name"))
				if err != nil || named == nil {
					t.Fatalf("%s of %s: %v", live.String(resource, "name"), set.GetName(), err)
				}
				for _, text := range live.Strings(named.Object, "data") {
					documents, err := manifest.Parse([]byte(strings.TrimSpace(text)))
					if err != nil {
						t.Fatal(err)
					}
					for _, document := range documents {
						if err := f.tenants.Ensure(t.Context(), document.Object); err != nil {
							t.Fatal(err)
						}
						applied++
					}
				}
			}
		}
	}
	if applied == 0 {
		t.Fatal("no ClusterResourceSet has the rights of the tenant")
	}
}
