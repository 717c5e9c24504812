// Package programs builds what the conformance program runs, keeps the executables, and knows which container images hold them.
package programs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"conformance/internal/process"
)

// reasonLines is how much of the toolchain's output an error message quotes.
const reasonLines = 12

// commonFlags are flags of each build, so that builds share what is compiled: as upstream builds images, and without paths of this machine.
var commonFlags = []string{"-trimpath", "-buildvcs=false"}

// environment is that of each run of the toolchain.
var environment = []string{"GOWORK=off"}

// linkerFlags leave out what only a debugger reads.
const linkerFlags = "-s -w"

// Compile compiles a package of the Go module in moduleDir to the file out, an absolute path.
// The compiler's temporary files are in tempDir. The Go toolchain leaves an executable alone that is up to date.
func Compile(ctx context.Context, moduleDir, pkg, out, tempDir string) error {
	return compile(ctx, moduleDir, tempDir, "-ldflags="+linkerFlags, "-o", out, pkg)
}

// Change is a text in a file of a module that another one replaces, at each place.
type Change struct{ File, From, To string }

// CompileChanged compiles like Compile, with a copy of a dependency in which texts are replaced. A text that is not there is an error.
func CompileChanged(ctx context.Context, moduleDir, pkg, out, tempDir, dependency string, changes []Change) error {
	original, _, err := Module(ctx, moduleDir, dependency)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(tempDir, "changed-")
	if err != nil {
		return fmt.Errorf("make a directory for the build: %w", err)
	}
	defer os.RemoveAll(temp)
	changed := filepath.Join(temp, "module")
	if err := os.CopyFS(changed, os.DirFS(original)); err != nil {
		return fmt.Errorf("copy %s: %w", dependency, err)
	}
	for _, change := range changes {
		file := filepath.Join(changed, change.File)
		content, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("change %s: %w", dependency, err)
		}
		if !strings.Contains(string(content), change.From) {
			return fmt.Errorf("%s of %s does not have %q any more", change.File, dependency, change.From)
		}
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("change %s: %w", dependency, err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(content), change.From, change.To)), 0o600); err != nil {
			return fmt.Errorf("change %s: %w", dependency, err)
		}
	}
	modFile, err := editedModule(ctx, moduleDir, temp, []string{"-replace=" + dependency + "=" + changed})
	if err != nil {
		return err
	}
	return compile(ctx, moduleDir, tempDir, "-mod=mod", "-modfile="+modFile, "-ldflags="+linkerFlags, "-o", out, pkg)
}

// Module returns the directory and version of a dependency of the Go module in moduleDir.
func Module(ctx context.Context, moduleDir, path string) (dir, version string, err error) {
	out, err := process.RunTool(ctx, moduleDir, environment, "go", "list", "-m", "-f", "{{.Dir}}\n{{.Version}}", path)
	if err != nil {
		return "", "", fmt.Errorf("look for the module %s in %s: %w", path, moduleDir, err)
	}
	dir, version, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return dir, version, nil
}

// compile runs `go build` in moduleDir.
func compile(ctx context.Context, moduleDir, tempDir string, args ...string) error {
	return goCommand(ctx, moduleDir, []string{"CGO_ENABLED=0", "GOTMPDIR=" + tempDir}, slices.Concat([]string{"build"}, commonFlags, args)...)
}

// goCommand runs the Go toolchain in dir. Its error ends with the last lines that the toolchain prints.
func goCommand(ctx context.Context, dir string, env []string, args ...string) error {
	// RunTool returns what is printed to standard output only.
	command := append([]string{"-c", `exec go "$@" 2>&1`, "go"}, args...)
	out, err := process.RunTool(ctx, dir, append(env, environment...), "sh", command...)
	if err != nil {
		return fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), dir, err, lastLines(string(out)))
	}
	return nil
}

// lastLines returns the end of what the toolchain printed, without the lines about downloads.
func lastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "go: downloading ") })
	return strings.Join(lines[max(0, len(lines)-reasonLines):], "\n")
}
