package controlplane

import (
	"context"
	"fmt"
	"strings"

	"conformance/internal/process"
)

// Build compiles a package of the Go module in moduleDir to the file out, an absolute path.
// The compiler's temporary files are in tempDir. The Go toolchain leaves an executable alone that is up to date.
func Build(ctx context.Context, moduleDir, pkg, out, tempDir string) error {
	_, err := goCommand(ctx, moduleDir, []string{"GOTMPDIR=" + tempDir}, "build", "-o", out, pkg)
	return err
}

// Module returns the directory and version of a dependency of the Go module in moduleDir.
func Module(ctx context.Context, moduleDir, path string) (dir, version string, err error) {
	out, err := goCommand(ctx, moduleDir, nil, "list", "-m", "-f", "{{.Dir}}\n{{.Version}}", path)
	if err != nil {
		return "", "", err
	}
	dir, version, _ = strings.Cut(strings.TrimSpace(out), "\n")
	return dir, version, nil
}

func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	out, err := process.RunTool(ctx, dir, append([]string{"GOWORK=off"}, env...), "go", args...)
	if err != nil {
		return "", fmt.Errorf("go %s in %s: %w", strings.Join(args, " "), dir, err)
	}
	return string(out), nil
}
