package main

import (
	"context"
	"path/filepath"

	"conformance/internal/programs"
	"conformance/internal/providers"
)

// server is a program that is built from a dependency.
type server struct{ name, module, pkg string }

// servers returns the servers that the run needs.
func (s *suite) servers() []server {
	servers := []server{
		{"etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"},
		{"kube-apiserver", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"},
	}
	if len(s.progress) > 0 || s.pairs != "" || s.folders != "" {
		servers = append(servers, server{"kube-controller-manager", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-controller-manager"})
	}
	return servers
}

// build compiles the servers and the programs of the providers.
func (s *suite) build(ctx context.Context) error {
	directory := filepath.Join(s.dir, "servers")
	for _, server := range s.servers() {
		if err := programs.Compile(ctx, directory, server.pkg, filepath.Join(s.bin, server.name), s.temp); err != nil {
			return err
		}
		_, version, err := programs.Module(ctx, directory, server.module)
		if err != nil {
			return err
		}
		s.log.printf("Built %s %s.", server.name, version)
	}
	if s.pairs != "" || s.folders != "" {
		if err := programs.Compile(ctx, filepath.Join(s.dir, "tenants"), ".", filepath.Join(s.bin, "tenants"), s.temp); err != nil {
			return err
		}
		s.log.printf("Built the program of tenants in memory.")
	}
	if len(s.installed) > 0 {
		if err := programs.Compile(ctx, s.operators(), operatorModule+"/cmd", filepath.Join(s.bin, providers.Operator), s.temp); err != nil {
			return err
		}
		s.log.printf("Built the Cluster API Operator.")
	}
	if err := s.buildDeliverers(ctx); err != nil {
		return err
	}
	return s.buildProviders(ctx)
}

// buildProviders compiles the programs of the providers.
func (s *suite) buildProviders(ctx context.Context) error {
	for _, provider := range s.providers {
		source := filepath.Join(s.dir, "webhooks", provider.Name)
		out := filepath.Join(s.bin, provider.Name)
		if len(provider.Changes) == 0 {
			if err := programs.Compile(ctx, source, ".", out, s.temp); err != nil {
				return err
			}
		} else if err := programs.CompileChanged(ctx, source, ".", out, s.temp, provider.Module, provider.Changes); err != nil {
			return err
		}
		dir, version, err := programs.Module(ctx, source, provider.Module)
		if err != nil {
			return err
		}
		s.modules[provider.Name] = dir
		s.log.printf("Built the programs of %s %s.", provider.Module, version)
	}
	return nil
}
