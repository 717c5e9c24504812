package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"conformance/internal/corpus"
	"conformance/internal/gitops"
	"conformance/internal/programs"
	"conformance/internal/rollouts"
)

// readFolders reads the pairs of folders, and leaves out those that Flux applies where a run that builds nothing does not find it.
func (s *suite) readFolders() (err error) {
	if s.folders == "" {
		return nil
	}
	if s.corpus, err = rollouts.Read[corpus.Pair](s.folders); err != nil {
		return err
	}
	isFlux := func(pair *corpus.Pair) bool { return pair.Flux }
	if !slices.ContainsFunc(s.corpus, isFlux) {
		return nil
	}
	table, err := programs.Read(s.dir)
	if err != nil {
		return err
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, gitops.ControllerNames...)
	if err != nil {
		return err
	}
	if s.ifBuilt && len(unbuilt) > 0 {
		fmt.Fprintf(s.stdout, "NOT PROVED: no pair is applied by Flux: %s must be built first, which a run without --if-built does.\n", strings.Join(unbuilt, ", "))
		s.corpus = slices.DeleteFunc(s.corpus, isFlux)
		return nil
	}
	s.flux = &corpus.Flux{Programs: map[string]string{}}
	return nil
}

// buildFlux builds the controllers of Flux, which takes some minutes each for the first time.
func (s *suite) buildFlux(ctx context.Context) error {
	if s.flux == nil {
		return nil
	}
	table, err := programs.Read(s.dir)
	if err != nil {
		return err
	}
	built, missing, err := table.Build(ctx, programs.Options{Temporary: s.temp, Log: s.log.printf}, gitops.ControllerNames...)
	if err != nil {
		return err
	}
	for _, program := range missing {
		return fmt.Errorf("build %s: %s", program.Name, program.Why)
	}
	for _, program := range built {
		s.flux.Programs[program.Name] = program.Path
	}
	return nil
}

// checkFolders applies the pairs of folders and writes what became of clusters, for the caller to compare.
func (s *suite) checkFolders(ctx context.Context) error {
	if s.folders == "" {
		return nil
	}
	s.log.printf("Applying %d pairs of folders.", len(s.corpus))
	if s.flux != nil {
		definitions, err := gitops.Definitions(s.definitions.Definitions, filepath.Join(s.dir, "upstream"))
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
	err = corpus.Run(ctx, &setup, s.flux, s.corpus, func(outcome *corpus.Outcome) error {
		done, err := writer.Write(outcome)
		if done%reportEvery == 0 || done == len(s.corpus) {
			s.log.printf("%d of %d pairs are done.", done, len(s.corpus))
		}
		return err
	})
	return errors.Join(err, writer.Close())
}
