package progress

import (
	"path/filepath"
	"strings"
	"testing"

	"conformance/internal/golden"
)

func TestReadTenant(t *testing.T) {
	tenant, reason, err := readTenant(filepath.Join(golden.Folder(t), "management", "example-diy-cloud.yaml"))
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	if tenant.namespace != "tenant-acme" || tenant.name != "acme" || !tenant.hasKamaji() {
		t.Errorf("got Cluster %s/%s", tenant.namespace, tenant.name)
	}
	if fixed := tenant.fixedPool(); fixed == nil || fixed.name() != "acme-ingress" || fixed.size() != 2 {
		t.Errorf("got fixed pool %+v", fixed)
	}
	scaled := tenant.scaledPools()
	if len(scaled) != 1 || scaled[0].name() != "acme-general" || scaled[0].size() != 1 {
		t.Errorf("got scaled pools %+v", scaled)
	}
	for _, p := range tenant.pools {
		if tenant.healthCheckOf(p) == nil {
			t.Errorf("pool %s has no health check", p.name())
		}
	}
}

func TestPoolsWithoutMachines(t *testing.T) {
	tenant, reason, err := readTenant(filepath.Join(golden.Folder(t), "management", "example-gpu-and-multi-pool.yaml"))
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	for _, p := range tenant.scaledPools() {
		if p.name() == "acme-gpu" && p.size() != 0 {
			t.Errorf("pool %s starts with %d machines", p.name(), p.size())
		}
	}
}

func TestFilesWithoutATenantToCheck(t *testing.T) {
	folder := golden.Folder(t)
	for file, wanted := range map[string]string{
		"example-sample-controller.yaml": "0 Clusters",
		"pools-root-disks.yaml":          "another cluster",
		"example-vultr.yaml":             "2 Clusters",
	} {
		_, reason, err := readTenant(filepath.Join(folder, "management", file))
		if err != nil || !strings.Contains(reason, wanted) {
			t.Errorf("%s: %q, %v", file, reason, err)
		}
	}
}
