package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"conformance/internal/cluster"
)

const (
	thingManifests = `
apiVersion: v1
kind: Namespace
metadata: {name: new}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: somewhere, namespace: new}
spec: {size: 1}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: here, namespace: default}
spec: {size: 0}
---
apiVersion: example.com/v1
kind: Other
metadata: {name: here, namespace: default}
`
	thingCases = `{"id": "positive", "operation": "create", "text": "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":1}}"}
{"id": "zero", "operation": "create", "text": "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":0}}"}
{"id": "update", "operation": "update", "before": "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}", "text": "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"}
{"id": "other", "operation": "create", "text": "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Other\",\"metadata\":{\"name\":\"a\"}}"}
{"id": "elsewhere", "operation": "create", "text": "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"namespace\":\"new\"}}"}
`
)

// TestVisit asks a server that takes the place of a user's own.
func TestVisit(t *testing.T) {
	ctx := t.Context()
	server, client := startServer(t)
	files := t.TempDir()
	opts := &options{
		kubeconfig: server.Kubeconfig,
		cases:      filepath.Join(files, "cases"), verdicts: filepath.Join(files, "verdicts"),
		paths: []string{filepath.Join(files, "things.yaml")},
	}
	for path, content := range map[string]string{opts.paths[0]: thingManifests, opts.cases: thingCases} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	tests := []struct {
		name, namespace string
		want            []string
	}{
		{name: "namespaces of the manifests", want: []string{
			`1 accepted, 1 refused, 2 not tried`,
			`namespace missing, not tried: Thing new/somewhere`,
			`not served here: Other default/here`,
			`refused: Thing default/here: .*size must be positive`,
		}},
		{name: "a namespace that is there", namespace: "kube-system", want: []string{
			`2 accepted, 1 refused, 1 not tried`,
			`refused: Thing kube-system/here`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts.namespace = test.namespace
			var stdout, stderr bytes.Buffer
			if err := visit(ctx, opts, &stdout, &stderr); err != errDisagreement {
				t.Errorf("got error %v, want %v", err, errDisagreement)
			}
			for _, want := range test.want {
				if !regexp.MustCompile(want).MatchString(stdout.String()) {
					t.Errorf("%q is not in\n%s", want, stdout.String())
				}
			}
			checkVerdicts(t, opts.verdicts,
				"positive: accepted",
				"zero: cel",
				"update: left out: nothing is stored in this cluster",
				"other: left out: not served here",
				"elsewhere: left out: namespace missing, not tried",
			)
			checkNothingStored(ctx, t, client)
		})
	}
}

// checkNothingStored looks for what a visit could have left behind.
func checkNothingStored(ctx context.Context, t *testing.T, client *cluster.Client) {
	t.Helper()
	for _, text := range []string{
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "new"}}`,
		`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}`,
		`{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a", "namespace": "default"}}`,
		`{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "somewhere", "namespace": "kube-system"}}`,
	} {
		object := parseObject(t, text)
		if stored, err := client.Exists(ctx, object); err != nil || stored {
			t.Errorf("%s is stored: %v, error: %v", cluster.Describe(object), stored, err)
		}
	}
}

// TestVisitConfig makes sure that a mistake in the flag never leads to another cluster.
func TestVisitConfig(t *testing.T) {
	t.Setenv("KUBECONFIG", "")
	t.Setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
	t.Setenv("KUBERNETES_SERVICE_PORT", "443")
	if config, err := visitConfig(&options{kubeconfig: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Errorf("a file that is not there leads to %s", config.Host)
	}
}
