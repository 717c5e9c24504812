package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"conformance/internal/alive"
	"conformance/internal/machines"
	"conformance/internal/programs"
	"conformance/internal/sandbox"
)

// runMachines asks kubeadm and kubelets of the minors of machines whether they become nodes. It runs in a sandbox: kubeadm looks up and asks what its files name.
func runMachines(ctx context.Context, opts *options, dir string, stdout, stderr io.Writer) error {
	cases, err := machines.Read(opts.machines)
	if err != nil {
		return err
	}
	table, err := programs.Read(opts.dir)
	if err != nil {
		return err
	}
	var names []string
	for _, c := range cases {
		tools, err := table.NodeTools(c.Version)
		if err != nil {
			return err
		}
		names = append(names, tools.Names()...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if opts.ifBuilt && !sandbox.Inside() {
		if unbuilt, err := table.Unbuilt(programs.Options{}, names...); err != nil || len(unbuilt) > 0 {
			if err == nil {
				fmt.Fprintf(stdout, "NOT PROVED: no machine is asked about: %s must be built first, which a run without --if-built does.\n", strings.Join(unbuilt, ", "))
			}
			return err
		}
	}
	if sandbox.Inside() {
		if err := sandbox.Setup(dir, alive.Resolver); err != nil {
			return err
		}
	}
	bin, err := linkPrograms(ctx, table, dir, names, newLog(stderr))
	if err != nil {
		return err
	}
	if !sandbox.Inside() {
		return inSandbox(stderr)
	}
	wrong, err := machines.Run(ctx, dir, bin, table, cases, stdout)
	if err != nil {
		return err
	}
	if wrong > 0 {
		fmt.Fprintf(stdout, "%d of %d machines are not as they must be.\n", wrong, len(cases))
		return exitError(exitNotAlive)
	}
	fmt.Fprintf(stdout, "All %d machines are as they must be.\n", len(cases))
	return nil
}

// linkPrograms builds programs that are not in the cache, and links those that can be built by name in a directory.
func linkPrograms(ctx context.Context, table *programs.Table, dir string, names []string, log *log) (bin string, err error) {
	built, missing, err := table.Build(ctx, programs.Options{Temporary: dir, Log: log.printf}, names...)
	if err != nil {
		return "", err
	}
	for _, program := range missing {
		log.printf("%s is missing: %s", program.Name, program.Why)
	}
	bin = filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", fmt.Errorf("make the directory of executables: %w", err)
	}
	for _, program := range built {
		if err := os.Symlink(program.Path, filepath.Join(bin, program.Name)); err != nil {
			return "", fmt.Errorf("link %s: %w", program.Name, err)
		}
	}
	return bin, nil
}
