package gitops

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"conformance/internal/controlplane"
	"conformance/internal/live"
	"conformance/internal/process"
	"conformance/internal/programs"
)

// snapshotDefinitions returns a small definition of a kind that the snapshot controller brings.
func snapshotDefinitions(t *testing.T) []*live.Object {
	t.Helper()
	const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: volumesnapshotclasses.snapshot.storage.k8s.io, annotations: {api-approved.kubernetes.io: 'https://example.com'}}
spec:
  group: snapshot.storage.k8s.io
  scope: Cluster
  names: {kind: VolumeSnapshotClass, plural: volumesnapshotclasses}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`
	return parse(t, text)
}

func newPKI(t *testing.T) *controlplane.PKI {
	t.Helper()
	pki, err := controlplane.NewPKI(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return pki
}

func freeAddress(t *testing.T) string {
	t.Helper()
	ports, err := process.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", ports[0])
}

// write creates a file below root and the directories above it.
func write(t *testing.T, root, path, content string) {
	t.Helper()
	path = filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// executables returns the paths of the controllers in the cache of built programs. With CONFORMANCE_BUILD, it builds those that are missing.
func executables(t *testing.T) map[string]string {
	t.Helper()
	return built(t, ControllerNames...)
}

// built returns the paths of programs in the cache of built programs. With CONFORMANCE_BUILD, it builds those that are missing.
func built(t *testing.T, names ...string) map[string]string {
	t.Helper()
	table, err := programs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, names...)
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 && os.Getenv("CONFORMANCE_BUILD") == "" {
		t.Skipf("%s must be built first, which takes minutes: set CONFORMANCE_BUILD=true", strings.Join(unbuilt, " and "))
	}
	built, missing, err := table.Build(t.Context(), programs.Options{Log: t.Logf}, names...)
	if err != nil {
		t.Fatal(err)
	}
	if len(missing) > 0 {
		t.Skip("run the program with --live once, so that there are sources: ", missing)
	}
	found := map[string]string{}
	for _, program := range built {
		found[program.Name] = program.Path
	}
	return found
}
