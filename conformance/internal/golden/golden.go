// Package golden has what the examples and scenarios of the library write.
package golden

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"conformance/internal/manifest"
)

// Folder returns a folder with a file for each scenario in management, tenants and hosts, by who reads it.
func Folder(t *testing.T) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	folder := t.TempDir()
	command := exec.CommandContext(t.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/golden/main.ts", folder)
	command.Dir = filepath.Join(filepath.Dir(file), "..", "..", "..")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return folder
}

// Read returns the documents of a scenario for a reader, which is management or tenants.
func Read(t *testing.T, reader, scenario string) []manifest.Document {
	t.Helper()
	documents, err := manifest.ReadFile(filepath.Join(Folder(t), reader, scenario+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return documents
}
