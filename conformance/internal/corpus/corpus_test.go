package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"conformance/internal/live"
	"conformance/internal/rollouts"
)

const manifests = `apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: tenant-acme}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
---
apiVersion: v1
kind: Namespace
metadata: {name: tenant-acme}
`

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func keys(objects []*live.Object) (keys []string) {
	for _, object := range objects {
		keys = append(keys, keyOf(object))
	}
	return keys
}

func TestNames(t *testing.T) {
	n := newNames(7, 1)
	const text = "namespace: tenant-acme, flux-system, path: ./tenants/acme"
	own := n.own(text)
	if want := "namespace: tenant-acme-p7t1, flux-system-p7t1, path: ./tenants/acme"; own != want {
		t.Errorf("got %q, want %q", own, want)
	}
	if n.written(own) != text {
		t.Errorf("got %q, want %q", n.written(own), text)
	}
	if !n.has("tenant-acme-p7t1") || n.has("tenant-acme-p17t1") {
		t.Error("namespaces of another pair are taken for those of this one")
	}
}

func TestObjectsOf(t *testing.T) {
	folder, target := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(folder, "old.yaml"), manifests)
	if err := copyFolder(filepath.Join(folder, "old.yaml"), target, newNames(1, 0).own); err != nil {
		t.Fatal(err)
	}
	objects, err := objectsOf(target)
	want := []string{"Namespace tenant-acme-p1t0", "ConfigMap tenant-acme-p1t0/b", "Cluster tenant-acme-p1t0/acme"}
	if err != nil || !slices.Equal(keys(objects), want) {
		t.Errorf("got %v, %v; want %v", keys(objects), err, want)
	}

	writeFile(t, filepath.Join(target, "kustomization.yaml"), "resources: [old.yaml]\nnamespace: tenant-beta\n")
	objects, err = objectsOf(target)
	if want := []string{"Namespace tenant-beta", "ConfigMap tenant-beta/b", "Cluster tenant-beta/acme"}; err != nil || !slices.Equal(keys(objects), want) {
		t.Errorf("got %v, %v; want %v", keys(objects), err, want)
	}

	if objects, err = objectsOf(filepath.Join(target, "none")); err != nil || len(objects) > 0 {
		t.Errorf("got %v, %v of a folder that does not exist", keys(objects), err)
	}
}

func TestFluxRefusal(t *testing.T) {
	found := fluxRefusal.FindStringSubmatch(`KubeadmControlPlane/tenant-acme/acme dry-run failed (Forbidden): admission webhook "x" denied the request: no`)
	if want := []string{"KubeadmControlPlane", "tenant-acme", "acme", `admission webhook "x" denied the request: no`}; found == nil || !slices.Equal(found[1:], want) {
		t.Errorf("got %v, want %v", found, want)
	}
}

func TestCompare(t *testing.T) {
	n := newNames(3, 0)
	none := rollouts.ReadMachines(nil, nil)
	before := &look{
		clusters: map[string]clusterLook{"a-p3t0/one": {"1", none, nil}, "a-p3t0/two": {"2", none, nil}, "a-p3t0/gone": {"3", none, nil}},
		releases: map[string][2]string{"b-p3t0/same": {"1", "1"}, "b-p3t0/newer": {"2", "2"}, "b-p3t0/anew": {"3", "3"}, "b-p3t0/gone": {"4", "4"}},
	}
	after := &look{
		clusters: map[string]clusterLook{"a-p3t0/one": {"1", none, nil}, "a-p3t0/two": {"4", none, nil}, "a-p3t0/new": {"5", none, nil}},
		releases: map[string][2]string{"b-p3t0/same": {"1", "1"}, "b-p3t0/newer": {"2", "7"}, "b-p3t0/anew": {"8", "8"}, "b-p3t0/new": {"9", "9"}},
	}
	outcome := &Outcome{Clusters: map[string]Cluster{}, Releases: map[string]string{}}
	before.compare(after, n, outcome, "prod:")
	for name, want := range map[string]string{"one": "kept", "two": "replaced", "gone": "removed", "new": "created"} {
		if got := outcome.Clusters["prod:a/"+name].Change; got != want {
			t.Errorf("cluster %s: got %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"same": "kept", "newer": "upgraded", "anew": "reinstalled", "gone": "uninstalled", "new": "installed"} {
		if got := outcome.Releases["prod:b/"+name]; got != want {
			t.Errorf("release %s: got %q, want %q", name, got, want)
		}
	}
}
