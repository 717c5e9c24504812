package controlplane

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Build compiles a package of the Go module in moduleDir to the file out, an absolute path.
// The Go toolchain leaves an executable alone that is up to date.
func Build(ctx context.Context, moduleDir, pkg, out string) error {
	_, err := goCommand(ctx, moduleDir, "build", "-o", out, pkg)
	return err
}

// Module returns the directory and version of a dependency of the Go module in moduleDir.
func Module(ctx context.Context, moduleDir, path string) (dir, version string, err error) {
	out, err := goCommand(ctx, moduleDir, "list", "-m", "-f", "{{.Dir}}\n{{.Version}}", path)
	if err != nil {
		return "", "", err
	}
	dir, version, _ = strings.Cut(strings.TrimSpace(out), "\n")
	return dir, version, nil
}

func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	// An interrupted compiler removes its temporary files.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s in %s: %w", strings.Join(args, " "), dir, err)
	}
	return string(out), nil
}
