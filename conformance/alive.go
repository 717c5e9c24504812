package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"conformance/internal/admission"
	"conformance/internal/alive"
	"conformance/internal/definitions"
	"conformance/internal/programs"
	"conformance/internal/sandbox"
)

// runAlive builds everything and lets each tenant of the folders live, in a sandbox.
func runAlive(ctx context.Context, opts *options, dir string, stdout, stderr io.Writer) error {
	if sandbox.Inside() {
		return liveInside(ctx, opts, dir, stdout, stderr)
	}
	if opts.ifBuilt {
		table, names, err := neededPrograms(opts)
		if err != nil {
			return err
		}
		if unbuilt, err := table.Unbuilt(programs.Options{}, names...); err != nil || len(unbuilt) > 0 {
			if err == nil {
				fmt.Fprintf(stdout, "NOT PROVED: no tenant lives: %s must be built first, which a run without --if-built does.\n", strings.Join(unbuilt, ", "))
			}
			return err
		}
	}
	s := &suite{options: opts, log: newLog(stderr), stdout: stdout, temp: dir, modules: map[string]string{}, providers: admission.Providers()}
	if err := s.buildProviders(ctx); err != nil {
		return err
	}
	if _, _, err := buildPrograms(ctx, opts, dir, s.log); err != nil {
		return err
	}
	return inSandbox(stderr)
}

// inSandbox runs this program once more in a sandbox.
func inSandbox(stderr io.Writer) error {
	code, err := sandbox.Run()
	if errors.Is(err, sandbox.ErrNoRights) {
		fmt.Fprintln(stderr, "conformance:", err)
		return exitError(exitNoRights)
	}
	if err != nil {
		return err
	}
	if code != 0 {
		return exitError(code)
	}
	return nil
}

// neededPrograms returns the names of all programs, of which those of machines are for the minors of the pages only.
func neededPrograms(opts *options) (*programs.Table, []string, error) {
	table, err := programs.Read(opts.dir)
	if err != nil {
		return nil, nil, err
	}
	versions, err := alive.NodeVersions(slices.Concat(opts.alive...))
	if err != nil {
		return nil, nil, err
	}
	names := table.Names()
	for _, version := range versions {
		tools, err := table.NodeTools(version)
		if err != nil {
			return nil, nil, err
		}
		names = append(names, tools.Names()...)
	}
	slices.Sort(names)
	return table, slices.Compact(names), nil
}

// buildPrograms builds what can be built, and links it by name in a directory.
func buildPrograms(ctx context.Context, opts *options, dir string, log *log) (*programs.Table, string, error) {
	table, names, err := neededPrograms(opts)
	if err != nil {
		return nil, "", err
	}
	bin, err := linkPrograms(ctx, table, dir, names, log)
	if err != nil {
		return nil, "", err
	}
	for _, name := range []string{"clusterapi", "kubevirt"} {
		if err := os.Symlink(filepath.Join(opts.bin, name), filepath.Join(bin, name)); err != nil {
			return nil, "", fmt.Errorf("link %s: %w", name, err)
		}
	}
	return table, bin, nil
}

// liveInside lets the tenants live.
func liveInside(ctx context.Context, opts *options, dir string, stdout, stderr io.Writer) error {
	if err := sandbox.Setup(dir, alive.Resolver); err != nil {
		return err
	}
	log := newLog(stderr)
	table, bin, err := buildPrograms(ctx, opts, dir, log)
	if err != nil {
		return err
	}
	found, err := definitions.Find(opts.places())
	if err != nil {
		return err
	}
	modules := map[string]string{}
	for _, provider := range admission.Providers() {
		modules[provider.Name], _, err = programs.Module(ctx, filepath.Join(opts.dir, "webhooks", provider.Name), provider.Module)
		if err != nil {
			return err
		}
	}
	outcomes := io.Discard
	if opts.outcomes != "" {
		file, err := os.Create(opts.outcomes)
		if err != nil {
			return fmt.Errorf("write the outcomes: %w", err)
		}
		defer file.Close()
		outcomes = file
	}
	failed, usage := false, &alive.Usage{}
	for i, folders := range opts.alive {
		files := filepath.Join(dir, fmt.Sprintf("alive-%d", i))
		if err := os.Mkdir(files, 0o755); err != nil {
			return fmt.Errorf("make the directory of a run: %w", err)
		}
		err := alive.Run(ctx, &alive.Setup{
			Dir: files, Bin: bin, Table: table, Definitions: found.Definitions, Modules: modules, Upstream: filepath.Join(opts.dir, "upstream"),
			Usage: usage, Out: stdout, Log: stderr, Outcomes: outcomes,
		}, folders)
		failed = failed || errors.Is(err, alive.ErrFailed)
		if err != nil && !errors.Is(err, alive.ErrFailed) {
			return fmt.Errorf("%s: %w", folders[0], err)
		}
	}
	if failed {
		return exitError(exitNotAlive)
	}
	if opts.usage == "" {
		return nil
	}
	text, err := usage.Markdown(time.Now())
	if err != nil {
		return err
	}
	if err := os.WriteFile(opts.usage, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write what containers take: %w", err)
	}
	return nil
}
