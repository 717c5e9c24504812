package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"conformance/internal/admission"
	"conformance/internal/corpus"
	"conformance/internal/gitops"
	"conformance/internal/programs"
	"conformance/internal/rollouts"
)

// deliverer is a system that delivers pairs of folders, and needs programs of its own.
type deliverer struct {
	name     string
	programs []string
	delivers func(*corpus.Pair) bool
}

var deliverers = []deliverer{
	{"Flux", gitops.ControllerNames, func(pair *corpus.Pair) bool { return pair.Flux }},
	{"the provider for Helm", []string{admission.HelmProviderName}, func(pair *corpus.Pair) bool { return pair.HelmProvider }},
	{"Argo CD", []string{programs.ArgoCD}, func(pair *corpus.Pair) bool { return pair.ArgoCD }},
}

// readFolders reads the pairs of folders, and leaves out those of systems that a run that builds nothing does not find.
func (s *suite) readFolders() (err error) {
	if s.folders == "" {
		return nil
	}
	if s.corpus, err = rollouts.Read[corpus.Pair](s.folders); err != nil {
		return err
	}
	table, err := programs.Read(s.dir)
	if err != nil {
		return err
	}
	s.deliveries = corpus.Deliveries{Programs: map[string]string{}, Upstream: filepath.Join(s.dir, "upstream")}
	for _, d := range deliverers {
		if !slices.ContainsFunc(s.corpus, d.delivers) {
			continue
		}
		unbuilt, err := table.Unbuilt(programs.Options{}, d.programs...)
		if err != nil {
			return err
		}
		if s.ifBuilt && len(unbuilt) > 0 {
			fmt.Fprintf(s.stdout, "NOT PROVED: no pair is applied by %s: %s must be built first, which a run without --if-built does.\n", d.name, strings.Join(unbuilt, ", "))
			s.corpus = slices.DeleteFunc(s.corpus, d.delivers)
			continue
		}
		for _, name := range d.programs {
			s.deliveries.Programs[name] = ""
		}
	}
	return nil
}

// buildDeliverers builds the programs that deliver pairs, which takes some minutes each for the first time.
func (s *suite) buildDeliverers(ctx context.Context) error {
	if len(s.deliveries.Programs) == 0 {
		return nil
	}
	table, err := programs.Read(s.dir)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(s.deliveries.Programs))
	built, missing, err := table.Build(ctx, programs.Options{Temporary: s.temp, Log: s.log.printf}, names...)
	if err != nil {
		return err
	}
	for _, program := range missing {
		return fmt.Errorf("build %s: %s", program.Name, program.Why)
	}
	for _, program := range built {
		s.deliveries.Programs[program.Name] = program.Path
	}
	return nil
}

// checkFolders applies the pairs of folders and writes what became of clusters, for the caller to compare.
func (s *suite) checkFolders(ctx context.Context) error {
	if s.folders == "" {
		return nil
	}
	s.log.printf("Applying %d pairs of folders.", len(s.corpus))
	if slices.ContainsFunc(s.corpus, func(pair *corpus.Pair) bool { return pair.Flux }) {
		definitions, err := gitops.Definitions(s.definitions.Definitions, s.deliveries.Upstream)
		if err != nil {
			return err
		}
		if err := s.client.CreateDefinitions(ctx, definitions); err != nil {
			return err
		}
	}
	writer, err := rollouts.NewWriter(s.folderOutcomes)
	if err != nil {
		return err
	}
	setup := s.controllers()
	err = corpus.Run(ctx, &setup, &s.deliveries, s.corpus, func(outcome *corpus.Outcome) error {
		done, err := writer.Write(outcome)
		if done%reportEvery == 0 || done == len(s.corpus) {
			s.log.printf("%d of %d pairs are done.", done, len(s.corpus))
		}
		return err
	})
	return errors.Join(err, writer.Close())
}
