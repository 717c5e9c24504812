package gitops

import (
	"slices"
	"strings"
	"testing"
)

const (
	helmRepository = `
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: cilium, namespace: tenant-acme}
spec: {url: https://helm.cilium.io}
`
	helmRelease = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme-cilium, namespace: tenant-acme}
spec: {chart: {spec: {chart: cilium, version: 1.20.0, sourceRef: {kind: HelmRepository, name: cilium}}}}
`
	ociRepository = `
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: cilium, namespace: tenant-acme}
spec: {url: 'oci://registry.internal:5000/charts/cilium', ref: {tag: 1.20.0_build}}
`
	ociRelease = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme-cilium, namespace: tenant-acme}
spec: {chartRef: {kind: OCIRepository, name: cilium}}
`
	helmChartProxy = `
apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: HelmChartProxy
metadata: {name: acme-cilium, namespace: tenant-acme}
spec: {chartName: cilium, version: v1.20.0, repoURL: 'https://example.com/charts/'}
`
)

func TestRequests(t *testing.T) {
	tests := []struct {
		name    string
		objects string
		want    []request
		problem string
	}{
		{"no charts", helmRepository, nil, ""},
		{"a release", helmRepository + "---" + helmRelease, []request{{host: "helm.cilium.io", name: "cilium", version: "1.20.0"}}, ""},
		{"twice the same", helmRepository + "---" + helmRelease + "---" + strings.Replace(helmRelease, "acme-cilium", "other", 1),
			[]request{{host: "helm.cilium.io", name: "cilium", version: "1.20.0"}}, ""},
		{"a chart in a registry", ociRepository + "---" + ociRelease,
			[]request{{isImage: true, host: "registry.internal:5000", folder: "/charts", name: "cilium", version: "1.20.0+build"}}, ""},
		{"a proxy", helmChartProxy, []request{{host: "example.com", folder: "/charts", name: "cilium", version: "v1.20.0"}}, ""},
		{"a release without its repository", helmRelease, nil,
			"HelmRelease tenant-acme/acme-cilium: spec.chart.spec.sourceRef: HelmRepository tenant-acme/cilium is not among the objects"},
		{"a chart of a Git repository", strings.Replace(helmRelease, "HelmRepository", "GitRepository", 1), nil,
			`spec.chart.spec.sourceRef.kind: "GitRepository": expected HelmRepository`},
		{"a range of versions", helmRepository + "---" + strings.Replace(helmRelease, "1.20.0", "1.x", 1), nil,
			`version of chart cilium: "1.x": expected a version such as 1.2.3`},
		{"a URL without TLS", strings.Replace(helmRepository, "https", "http", 1) + "---" + helmRelease, nil,
			`URL of chart cilium: "http://helm.cilium.io": expected https:// or oci://`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := requests(parse(t, test.objects))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
				t.Errorf("got error %v, want %q", err, test.problem)
			}
		})
	}
}
