package gitops

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"conformance/internal/golden"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

func TestAllChartsOfTheGoldenFilesAreServed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(golden.Folder(t), "management", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files: ", err)
	}
	hosts := map[string]bool{}
	for _, file := range files {
		if filepath.Base(file) == "example-management-cluster.yaml" {
			continue // It has charts from a Git repository.
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		charts, err := NewCharts(parse(t, string(text)), snapshotDefinitions(t))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
			continue
		}
		for _, host := range charts.Hosts() {
			hosts[host] = true
		}
	}
	if !hosts["helm.cilium.io"] || !hosts["registry.internal"] {
		t.Errorf("got hosts %v", hosts)
	}
}

func TestAnIndexNamesChartsThatAreThere(t *testing.T) {
	other := strings.NewReplacer("acme-cilium", "other", "1.20.0", "1.21.0").Replace(helmRelease)
	charts, err := NewCharts(parse(t, helmRepository+"---"+helmRelease+"---"+other), nil)
	if err != nil {
		t.Fatal(err)
	}
	index := struct {
		Entries map[string][]struct {
			Version, Digest string
			URLs            []string
		}
	}{}
	if err := yaml.Unmarshal(get(t, charts, "https://helm.cilium.io/index.yaml", http.StatusOK), &index); err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, entry := range index.Entries["cilium"] {
		versions = append(versions, entry.Version)
		archive := file{content: get(t, charts, "https://helm.cilium.io/"+entry.URLs[0], http.StatusOK)}
		if archive.digest() != entry.Digest {
			t.Errorf("the archive has the digest %s, and the index says %s", archive.digest(), entry.Digest)
		}
	}
	if want := []string{"1.20.0", "1.21.0"}; !slices.Equal(versions, want) {
		t.Errorf("got versions %v, want %v", versions, want)
	}
	get(t, charts, "https://other.example.com/index.yaml", http.StatusNotFound)
}

func TestARegistryHasThePartsOfAnImage(t *testing.T) {
	charts, err := NewCharts(parse(t, ociRepository+"---"+ociRelease), nil)
	if err != nil {
		t.Fatal(err)
	}
	const registry = "https://registry.internal:5000/v2/"
	get(t, charts, registry, http.StatusOK)
	tags := string(get(t, charts, registry+"charts/cilium/tags/list", http.StatusOK))
	if want := `{"name":"cilium","tags":["1.20.0_build"]}`; tags != want {
		t.Errorf("got tags %s, want %s", tags, want)
	}
	manifest := struct {
		Config struct{ Digest string }
		Layers []struct{ Digest string }
	}{}
	if err := yaml.Unmarshal(get(t, charts, registry+"charts/cilium/manifests/1.20.0_build", http.StatusOK), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Layers) != 1 {
		t.Fatalf("got %d layers, want the chart", len(manifest.Layers))
	}
	for _, digest := range []string{manifest.Config.Digest, manifest.Layers[0].Digest} {
		blob := file{content: get(t, charts, registry+"charts/cilium/blobs/"+digest, http.StatusOK)}
		if blob.digest() != digest {
			t.Errorf("%s has the digest %s", digest, blob.digest())
		}
	}
}

func TestAWithheldChartIsNotToBeHad(t *testing.T) {
	charts, err := NewCharts(parse(t, helmRepository+"---"+helmRelease), nil)
	if err != nil {
		t.Fatal(err)
	}
	release := charts.Withhold("cilium")
	get(t, charts, "https://helm.cilium.io/cilium-1.20.0.tgz", http.StatusServiceUnavailable)
	get(t, charts, "https://helm.cilium.io/index.yaml", http.StatusOK)
	release()
	get(t, charts, "https://helm.cilium.io/cilium-1.20.0.tgz", http.StatusOK)
}

func TestTheSnapshotControllerNeedsDefinitions(t *testing.T) {
	release := strings.Replace(helmRelease, "chart: cilium", "chart: snapshot-controller", 1)
	_, err := NewCharts(parse(t, helmRepository+"---"+release), nil)
	if err == nil || !strings.Contains(err.Error(), "snapshot.storage.k8s.io") {
		t.Errorf("got error %v, want one that names the group", err)
	}
}

func TestTheCertificateIsForTheHostsOfTheCharts(t *testing.T) {
	pki := newPKI(t)
	address := freeAddress(t)
	repository := strings.Replace(ociRepository, ":5000", strings.TrimPrefix(address, "127.0.0.1"), 1)
	charts, err := NewCharts(parse(t, repository+"---"+ociRelease), nil)
	if err != nil {
		t.Fatal(err)
	}
	server, err := charts.Serve("127.0.0.1", pki)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	config := pki.TLSConfig()
	for host, trusted := range map[string]bool{"registry.internal": true, "helm.cilium.io": false} {
		config.ServerName = host
		conn, err := tls.Dial("tcp", address, config)
		if (err == nil) != trusted {
			t.Errorf("%s: got error %v", host, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}

// get asks for a URL and returns the body of the answer.
func get(t *testing.T, charts *Charts, url string, status int) []byte {
	t.Helper()
	response := httptest.NewRecorder()
	charts.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))
	if response.Code != status {
		t.Errorf("%s: got status %d, want %d", url, response.Code, status)
	}
	return response.Body.Bytes()
}

func parse(t *testing.T, text string) []*live.Object {
	t.Helper()
	path := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	documents, err := manifest.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var objects []*live.Object
	for _, document := range documents {
		objects = append(objects, document.Object)
	}
	return objects
}

func TestAClosedHostAsksForItsPassword(t *testing.T) {
	charts, err := NewCharts(parse(t, helmRepository+"---"+helmRelease), nil)
	if err != nil {
		t.Fatal(err)
	}
	charts.RequirePassword("helm.cilium.io", "open sesame")
	get(t, charts, "https://helm.cilium.io/index.yaml", http.StatusUnauthorized)
	request := httptest.NewRequest(http.MethodGet, "https://helm.cilium.io/index.yaml", nil)
	request.SetBasicAuth("anybody", "open sesame")
	response := httptest.NewRecorder()
	charts.ServeHTTP(response, request)
	if response.Code != http.StatusOK {
		t.Errorf("got status %d with the password", response.Code)
	}
}
