package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/admission"
	"conformance/internal/check"
	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/manifest"
)

// suite is one run: what is built, started and stopped.
type suite struct {
	*options
	stdout, stderr io.Writer
	started        time.Time
	providers      []admission.Provider
	// modules maps the name of a provider to the directory of its module.
	modules map[string]string
}

// runSuite builds and starts everything, checks the files and stops everything again.
func runSuite(ctx context.Context, opts *options, stdout, stderr io.Writer) error {
	s := &suite{options: opts, stdout: stdout, stderr: stderr, started: time.Now(), modules: map[string]string{}}
	if opts.webhooks {
		s.providers = admission.Providers()
	}
	// Before the build, so that a wrong path is found at once.
	files, err := manifest.Files(opts.paths)
	if err != nil {
		return err
	}
	definitions, err := readDefinitions(opts.crds)
	if err != nil {
		return err
	}
	if err := s.build(ctx); err != nil {
		return err
	}

	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return fmt.Errorf("create a temporary directory: %w", err)
	}
	if opts.keep {
		fmt.Fprintln(stderr, "The servers' files are in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	cp, err := controlplane.Start(ctx, opts.bin, dir)
	if err != nil {
		return err
	}
	defer cp.Stop()
	s.progress("The API server is ready.")

	client, err := cluster.NewClient(cp.Config)
	if err != nil {
		return err
	}
	if err := client.CreateDefinitions(ctx, definitions); err != nil {
		return err
	}
	s.progress("%d custom resource definitions are served.", len(definitions))

	for _, provider := range s.providers {
		server, err := admission.Start(ctx, provider, s.modules[provider.Name], opts.bin, dir, cp, client)
		if err != nil {
			return err
		}
		defer server.Stop()
		s.progress("The webhooks of %s are registered.", provider.Module)
	}
	return s.checkFiles(ctx, client, files)
}

// build compiles the servers and the programs that serve webhooks.
func (s *suite) build(ctx context.Context) error {
	servers := filepath.Join(s.dir, "servers")
	for _, server := range []struct{ name, module, pkg string }{
		{"etcd", "go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3"},
		{"kube-apiserver", "k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"},
	} {
		if err := controlplane.Build(ctx, servers, server.pkg, filepath.Join(s.bin, server.name)); err != nil {
			return err
		}
		_, version, err := controlplane.Module(ctx, servers, server.module)
		if err != nil {
			return err
		}
		s.progress("Built %s %s.", server.name, version)
	}
	for _, provider := range s.providers {
		source := filepath.Join(s.dir, "webhooks", provider.Name)
		if err := controlplane.Build(ctx, source, ".", filepath.Join(s.bin, provider.Name)); err != nil {
			return err
		}
		dir, version, err := controlplane.Module(ctx, source, provider.Module)
		if err != nil {
			return err
		}
		s.modules[provider.Name] = dir
		s.progress("Built the webhooks of %s %s.", provider.Module, version)
	}
	return nil
}

// checkFiles checks the files one after the other and prints the report.
func (s *suite) checkFiles(ctx context.Context, client *cluster.Client, files []string) error {
	report := check.NewReport(s.stdout)
	for _, file := range files {
		results, err := check.File(ctx, client, file)
		if err != nil {
			return err
		}
		report.Add(file, results)
	}
	report.Summarize()
	calls, err := client.WebhookCalls(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.stdout, "\nWebhook calls:")
	for _, call := range calls {
		fmt.Fprintf(s.stdout, "  %4d x %s\n", call.Count, call.Name)
	}
	s.progress("Checked %d files.", len(files))
	if report.Failed() {
		return errDisagreement
	}
	return nil
}

// progress prints a message with the time since the start.
func (s *suite) progress(format string, args ...any) {
	fmt.Fprintf(s.stderr, "%5.1fs "+format+"\n", append([]any{time.Since(s.started).Seconds()}, args...)...)
}

// readDefinitions returns the objects of all files in a directory.
func readDefinitions(dir string) ([]*unstructured.Unstructured, error) {
	files, err := manifest.Files([]string{dir})
	if err != nil {
		return nil, err
	}
	var definitions []*unstructured.Unstructured
	for _, file := range files {
		documents, err := manifest.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			definitions = append(definitions, document.Object)
		}
	}
	return definitions, nil
}
