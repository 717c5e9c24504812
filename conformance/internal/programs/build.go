package programs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// keyLength is how many digits of a key are in the name of a directory.
const keyLength = 16

// Program is an executable that was built.
type Program struct {
	Name, Version string
	// Path is where the executable is.
	Path string
}

// Missing is a program that cannot be built here.
type Missing struct {
	Name string
	// Why states the missing part and the fix.
	Why string
}

// Options are where executables are kept and how builds are reported.
type Options struct {
	// Cache is the directory of the executables; cdk8s-cluster-api/conformance in the user's cache directory if it is empty.
	Cache string
	// Temporary is an existing directory for what a build leaves behind when it is killed; that of the operating system if it is empty.
	Temporary string
	// Log is called before each build, which can take minutes; it can be nil.
	Log func(format string, args ...any)
}

// Build builds the programs that are named, one after the other, except those whose executables are in the cache: for these nothing runs.
// An error of one build makes its program missing. The error is about everything else, and about the end of the context.
func (t *Table) Build(ctx context.Context, options Options, names ...string) (built []Program, missing []Missing, err error) {
	recipes, err := t.findAll(names)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range recipes {
		program, isBuilt, err := t.look(&options, r)
		if err != nil {
			return built, missing, err
		}
		if !isBuilt {
			err = t.build(ctx, options, r, program.Path)
			if ctx.Err() != nil {
				return built, missing, ctx.Err()
			}
			if err != nil {
				missing = append(missing, Missing{r.Name, err.Error()})
				continue
			}
		}
		built = append(built, program)
	}
	return built, missing, nil
}

// Unbuilt returns those of the programs that are named whose executables are not in the cache.
func (t *Table) Unbuilt(options Options, names ...string) (unbuilt []string, err error) {
	recipes, err := t.findAll(names)
	if err != nil {
		return nil, err
	}
	for _, r := range recipes {
		_, isBuilt, err := t.look(&options, r)
		if err != nil {
			return nil, err
		}
		if !isBuilt {
			unbuilt = append(unbuilt, r.Name)
		}
	}
	return unbuilt, nil
}

// findAll returns the recipes of programs.
func (t *Table) findAll(names []string) (recipes []recipe, err error) {
	for _, name := range names {
		r, err := t.find(name)
		if err != nil {
			return nil, err
		}
		recipes = append(recipes, r)
	}
	return recipes, nil
}

// look finds the executable of a program in the cache, whose directory it sets if it is empty.
func (t *Table) look(options *Options, r recipe) (program Program, isBuilt bool, err error) {
	if options.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return program, false, fmt.Errorf("find the directory that keeps executables: %w", err)
		}
		options.Cache = filepath.Join(dir, "cdk8s-cluster-api", "conformance")
	}
	key, err := t.key(r)
	if err != nil {
		return program, false, err
	}
	program = Program{r.Name, r.Version, filepath.Join(options.Cache, r.Name+"-"+key, r.Name)}
	_, err = os.Stat(program.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return program, false, fmt.Errorf("look for the executable of %s: %w", r.Name, err)
	}
	return program, err == nil, nil
}

// key returns a text that another executable of the program does not have.
func (t *Table) key(r recipe) (string, error) {
	hash := sha256.New()
	inputs := []any{runtime.Version(), runtime.GOOS, runtime.GOARCH, commonFlags, linkerFlags, r}
	for _, input := range r.Inputs {
		content, err := os.ReadFile(filepath.Join(t.dir, input))
		if err != nil {
			return "", fmt.Errorf("read what %s is built with: %w", r.Name, err)
		}
		inputs = append(inputs, content)
	}
	if err := json.NewEncoder(hash).Encode(inputs); err != nil {
		return "", fmt.Errorf("encode what %s is built with: %w", r.Name, err)
	}
	return hex.EncodeToString(hash.Sum(nil))[:keyLength], nil
}

// build makes the executable at path.
func (t *Table) build(ctx context.Context, options Options, r recipe, path string) error {
	for _, s := range r.Sources {
		dir := filepath.Join(t.dir, "upstream", s.Name)
		// scripts/conformance/upstream.ts writes the file when everything is unpacked.
		if commit, err := os.ReadFile(filepath.Join(dir, ".commit")); err != nil || string(commit) != s.Commit {
			return fmt.Errorf("the sources of %s at commit %s are not in %s: set SOURCES_DIR to a directory with their archive, "+
				"or allow network access, and run npm run conformance -- --live", s.Name, s.Commit, dir)
		}
	}
	if options.Log != nil {
		options.Log("Building %s %s, which is not in %s.", r.Name, r.Version, options.Cache)
	}
	temp, err := os.MkdirTemp(options.Temporary, "build-")
	if err != nil {
		return fmt.Errorf("make a directory for the build: %w", err)
	}
	defer os.RemoveAll(temp)
	directory := filepath.Join(t.dir, r.Directory)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make the directory of the executable: %w", err)
	}
	// The last step makes the executable appear, whole.
	partial := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer os.Remove(partial)
	if r.Dependency != "" {
		err = CompileChanged(ctx, directory, r.Package, partial, temp, r.Dependency, r.Changes)
	} else {
		err = compileRecipe(ctx, r, directory, temp, partial)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(partial, path); err != nil {
		return fmt.Errorf("keep the executable: %w", err)
	}
	return nil
}

// compileRecipe compiles a program with the flags of its recipe.
func compileRecipe(ctx context.Context, r recipe, directory, temp, out string) error {
	flags := slices.Clone(r.Flags)
	if slices.Contains(flags, "-mod=mod") {
		modFile, err := editedModule(ctx, directory, temp, r.Edits)
		if err != nil {
			return err
		}
		flags = append(flags, "-modfile="+modFile)
	}
	ldflags := "-ldflags=" + linkerFlags + " " + r.LinkerFlags
	return compile(ctx, directory, temp, append(flags, ldflags, "-o", out, r.Package)...)
}

// editedModule copies go.mod and go.sum, changes the copy of go.mod, and returns its path. A build may add to the copies: sources stay as
// they are.
func editedModule(ctx context.Context, directory, temp string, edits []string) (string, error) {
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			return "", fmt.Errorf("copy the module: %w", err)
		}
		if err := os.WriteFile(filepath.Join(temp, name), content, 0o600); err != nil {
			return "", fmt.Errorf("copy the module: %w", err)
		}
	}
	modFile := filepath.Join(temp, "go.mod")
	if len(edits) == 0 {
		return modFile, nil
	}
	err := goCommand(ctx, directory, nil, slices.Concat([]string{"mod", "edit"}, edits, []string{modFile})...)
	return modFile, err
}
