package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/agree"
	"conformance/internal/cluster"
	"conformance/internal/controlplane"
)

// thingDefinition defines a kind with a rule.
const thingDefinition = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "things.example.com"},
	"spec": {
		"group": "example.com", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "things", "singular": "thing"},
		"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
			"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}},
			"x-kubernetes-validations": [
				{"rule": "self.size > 0", "message": "size must be positive"},
				{"rule": "self.size >= oldSelf.size"}
			]}}}}}]
	}
}`

// startServer starts an API server that has the definition above.
func startServer(t *testing.T) (*controlplane.ControlPlane, *cluster.Client) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a server")
	}
	requireExecutables(t)
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	server, err := controlplane.Start(t.Context(), bin, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	client, err := cluster.NewClient(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CreateDefinitions(t.Context(), []*unstructured.Unstructured{parseObject(t, thingDefinition)}); err != nil {
		t.Fatal(err)
	}
	return server, client
}

// requireExecutables skips a test that would otherwise begin with a build of several minutes.
func requireExecutables(t *testing.T) {
	t.Helper()
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if _, err := os.Stat(filepath.Join("bin", name)); err != nil {
			t.Skip("run the program once, so that there are executables: ", err)
		}
	}
}

func parseObject(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return object
}

// checkVerdicts compares what became of each case: accepted, who refused it, or why there is no answer.
func checkVerdicts(t *testing.T, path string, want ...string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(content)) {
		verdict := &agree.Verdict{}
		if err := json.Unmarshal([]byte(line), verdict); err != nil {
			t.Fatal(err)
		}
		outcome := string(verdict.By) + verdict.Error
		if verdict.Accepted {
			outcome += "accepted"
		}
		got = append(got, verdict.ID+": "+outcome)
	}
	if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
