package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"conformance/internal/agree"
	"conformance/internal/check"
	"conformance/internal/cluster"
	"conformance/internal/manifest"
)

// The rate at which a cluster of somebody else is asked.
const (
	visitQPS   = 100
	visitBurst = 200
)

// visit asks a cluster of somebody else. It sends nothing but dry runs.
func visit(ctx context.Context, opts *options, stdout, stderr io.Writer) error {
	log := newLog(stderr)
	files, err := manifest.Files(opts.paths)
	if err != nil {
		return err
	}
	config, err := visitConfig(opts)
	if err != nil {
		return err
	}
	client, err := cluster.NewClient(cluster.ReadOnly(config))
	if err != nil {
		return err
	}
	log.printf("Asking %s. Nothing is stored there, so second applies, updates and controllers are left out.", config.Host)

	disagreement := visitFiles(ctx, opts, client, files, stdout)
	if disagreement != nil && !errors.Is(disagreement, errDisagreement) {
		return disagreement
	}
	if opts.cases != "" {
		if err := visitCases(ctx, opts, client, stdout, log); err != nil {
			return err
		}
	}
	return disagreement
}

// visitConfig reads the kubeconfig: one file, or several as in the variable KUBECONFIG. Unlike other programs, this one never
// falls back to another cluster.
func visitConfig(opts *options) (*rest.Config, error) {
	rules := &clientcmd.ClientConfigLoadingRules{Precedence: filepath.SplitList(opts.kubeconfig)}
	loaded, err := rules.Load()
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig: %w", err)
	}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: opts.context}
	config, err := clientcmd.NewNonInteractiveClientConfig(*loaded, opts.context, overrides, rules).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s: %w", opts.kubeconfig, err)
	}
	config.QPS, config.Burst = visitQPS, visitBurst
	return config, nil
}

func visitFiles(ctx context.Context, opts *options, client *cluster.Client, files []string, stdout io.Writer) error {
	if len(files) == 0 {
		return nil
	}
	report := check.NewVisitReport(stdout, check.Allowances())
	visited := cluster.NewVisited(client)
	for _, file := range files {
		results, err := check.DryRun(ctx, client, visited, file, opts.namespace)
		if err != nil {
			return err
		}
		report.Add(file, results)
	}
	report.Summarize()
	if report.Failed() {
		return errDisagreement
	}
	return nil
}

func visitCases(ctx context.Context, opts *options, client *cluster.Client, stdout io.Writer, log *log) error {
	sets, err := agree.Read(opts.cases)
	if err != nil {
		return err
	}
	definitions, err := client.Definitions(ctx)
	if err != nil {
		log.printf("Refusals by rules count as refusals by the schema: %v", err)
	}
	verdicts, err := newRunner(client, agree.NewRules(definitions), log, sets).RunDry(ctx, sets)
	if err != nil {
		return err
	}
	return writeVerdicts(opts.verdicts, verdicts, stdout, log)
}
