package gitops

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"conformance/internal/live"
)

const tenantNamespace = "tenant-acme"

// TestFlux runs the controllers of Flux. The tenant's API server is that of the management cluster.
func TestFlux(t *testing.T) {
	f := startFlux(t)
	release := f.charts.Withhold("cilium")
	revision := f.commit("Add acme")

	// The page: entry points, manifests that are delivered through a kubeconfig.
	f.await(GitRepository, namespace, namespace, Fetched(revision))
	f.await(Kustomization, namespace, "acme", Applied(revision))
	f.await(Kustomization, tenantNamespace, "acme-workloads", Applied(revision))
	f.await(configMap, "default", "settings", existing(func(object *live.Object) string {
		return expect("data.registry", live.String(object.Object, "data", "registry"), "registry.example.com")
	}))
	f.await(Kustomization, tenantNamespace, "acme-classes", Failed("no matches for kind"))

	// The order: what depends on another release waits for it.
	f.await(HelmRelease, tenantNamespace, "acme-metrics-server", Failed("dependency"))
	f.await(HelmRelease, tenantNamespace, "acme-snapshot-controller", Failed("dependency"))
	release()
	f.await(HelmRelease, tenantNamespace, "acme-cilium", Released("1.20.0"))
	f.await(HelmRelease, tenantNamespace, "acme-snapshot-controller", Released("v5.2.0"))
	f.await(Kustomization, tenantNamespace, "acme-classes", Applied(revision))
	f.wantValue("network", "cilium", "kubernetes", "ipam", "mode")

	// A hook that fails is tried again.
	f.await(HelmRelease, tenantNamespace, "acme-metrics-server", Failed(`namespaces "later" not found`))
	f.ensure(parse(t, "{apiVersion: v1, kind: Namespace, metadata: {name: later}}")[0])
	f.await(HelmRelease, tenantNamespace, "acme-metrics-server", Released("3.13.1"))
	f.await(configMap, "later", "metrics-server-hook", existing(func(*live.Object) string { return "" }))
	order, err := InstallOrder(t.Context(), f.client)
	if want := []string{"cilium", "snapshot-controller", "metrics-server"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("got order %v, %v; want %v", order, err, want)
	}

	// Another source of the same charts, in another namespace: the former one goes, and no release is installed or upgraded again.
	before := f.history("acme-cilium")
	shared := []string{
		"metadata: {name: charts, namespace: tenant-acme}", "metadata: {name: charts, namespace: flux-system}",
		"sourceRef: {kind: HelmRepository, name: charts}", "sourceRef: {kind: HelmRepository, name: charts, namespace: flux-system}",
	}
	revision = f.commit("Share the charts", shared...)
	f.await(Kustomization, namespace, "acme", Applied(revision))
	f.await(HelmRepository, tenantNamespace, "charts", Gone)
	f.await(HelmRelease, tenantNamespace, "acme-cilium", func(object *live.Object) string {
		return expect("status.helmChart", live.String(object.Object, "status", "helmChart"), "flux-system/tenant-acme-acme-cilium")
	})
	f.await(HelmRelease, tenantNamespace, "acme-cilium", Released("1.20.0"))
	if after := f.history("acme-cilium"); after != before {
		t.Errorf("the release is installed or upgraded again: %s, then %s", before, after)
	}

	// A new version; what is suspended stays as it is.
	revision = f.commit("Upgrade cilium", "version: 1.20.0", "version: 1.21.0", "mode: kubernetes", "mode: cluster-pool")
	f.await(Kustomization, namespace, "acme", Applied(revision))
	f.await(HelmRelease, tenantNamespace, "acme-cilium", Released("1.21.0"))
	f.wantValue("network", "cilium", "cluster-pool", "ipam", "mode")
	revision = f.commit("Suspend cilium", "  releaseName: cilium", "  releaseName: cilium\n  suspend: true")
	f.await(Kustomization, namespace, "acme", Applied(revision))
	f.await(HelmRelease, tenantNamespace, "acme-cilium", Suspended)
	time.Sleep(2 * time.Second)
	f.wantValue("network", "cilium", "cluster-pool", "ipam", "mode")

	// Flux uninstalls a release that is removed from the repository, unless it is suspended.
	revision = f.commit("Remove the releases", "resources: [manifests.yaml, releases.yaml]", "resources: [manifests.yaml]")
	f.await(Kustomization, namespace, "acme", Applied(revision))
	f.await(HelmRelease, tenantNamespace, "acme-metrics-server", Gone)
	f.await(configMap, "metrics", "metrics-server"+valuesSuffix, Gone)
	f.await(HelmRelease, tenantNamespace, "acme-cilium", Gone)
	f.wantValue("network", "cilium", "cluster-pool", "ipam", "mode")
}

// history returns the newest revision of a release and when it was made.
func (f *flux) history(release string) string {
	f.Helper()
	object, err := f.client.Get(f.Context(), HelmRelease, tenantNamespace, release)
	if err != nil || object == nil {
		f.Fatalf("release %s: %v", release, err)
	}
	newest := live.Maps(object.Object, "status", "history")[0]
	return fmt.Sprint(live.Int(newest, "version"), " ", live.String(newest, "lastDeployed"))
}
