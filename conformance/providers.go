package main

import (
	"context"
	"io"
	"path/filepath"

	"conformance/internal/admission"
	"conformance/internal/alive"
	"conformance/internal/programs"
	"conformance/internal/providers"
	"conformance/internal/sandbox"
)

// operatorModule is the Go module of the Cluster API Operator.
const operatorModule = "sigs.k8s.io/cluster-api-operator"

// runInstalled lets the Cluster API Operator install the providers of pages. It runs in a sandbox, since the webhooks of the operator listen on all addresses.
func runInstalled(ctx context.Context, opts *options, dir string, stdout, stderr io.Writer) error {
	s := &suite{options: opts, log: newLog(stderr), stdout: stdout, temp: dir}
	if !sandbox.Inside() {
		if err := s.build(ctx); err != nil {
			return err
		}
		return inSandbox(stderr)
	}
	if err := sandbox.Setup(dir, alive.Resolver); err != nil {
		return err
	}
	if err := s.read(); err != nil {
		return err
	}
	stop, err := s.start(ctx)
	defer stop()
	if err != nil {
		return err
	}
	module, _, err := programs.Module(ctx, s.operators(), operatorModule)
	if err != nil {
		return err
	}
	sources, err := s.providerSources(ctx)
	if err != nil {
		return err
	}
	return providers.Run(ctx, &providers.Setup{
		ControlPlane: s.controlPlane, BinDir: s.bin, Dir: s.temp, Module: module, Sources: sources, Out: s.stdout,
	}, s.installed)
}

// operators is the module that the operator is built in.
func (s *suite) operators() string { return filepath.Join(s.dir, "operators") }

// providerSources are the sources that the manifests of providers are built from: modules, and what is unpacked beside them.
func (s *suite) providerSources(ctx context.Context) (map[string]providers.Sources, error) {
	sources := map[string]providers.Sources{}
	for _, provider := range admission.Providers() {
		dir, version, err := programs.Module(ctx, filepath.Join(s.dir, "webhooks", provider.Name), provider.Module)
		if err != nil {
			return nil, err
		}
		sources[filepath.Base(provider.Module)] = providers.Sources{Dir: dir, Version: version}
	}
	table, err := programs.Read(s.dir)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{providers.KamajiProvider, providers.HelmProvider} {
		version, err := table.Version(name)
		if err != nil {
			return nil, err
		}
		sources[name] = providers.Sources{Dir: filepath.Join(s.dir, "upstream", name), Version: version}
	}
	return sources, nil
}
