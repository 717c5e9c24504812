package main

import (
	"context"
	"errors"

	"conformance/internal/rollouts"
)

// reportEvery is how many pairs are done between two reports.
const reportEvery = 20

// checkRollouts applies the pairs and writes what became of machines. Whoever wrote the pairs compares it.
func (s *suite) checkRollouts(ctx context.Context) error {
	if s.pairs == "" {
		return nil
	}
	s.log.printf("Applying %d pairs of manifests.", len(s.rollouts))
	writer, err := rollouts.NewWriter(s.outcomes)
	if err != nil {
		return err
	}
	setup := s.controllers()
	err = rollouts.Run(ctx, &setup, s.rollouts, func(outcome *rollouts.Outcome) error {
		done, err := writer.Write(outcome)
		if done%reportEvery == 0 || done == len(s.rollouts) {
			s.log.printf("%d of %d pairs are done.", done, len(s.rollouts))
		}
		return err
	})
	return errors.Join(err, writer.Close())
}
