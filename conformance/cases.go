package main

import (
	"context"
	"fmt"
	"io"

	"conformance/internal/agree"
	"conformance/internal/cluster"
)

// checkCases asks the server about the cases and writes the verdicts. Whoever wrote the cases compares them.
func (s *suite) checkCases(ctx context.Context) error {
	if s.cases == "" {
		return nil
	}
	runner := newRunner(s.client, agree.NewRules(s.definitions.Definitions), s.log, s.sets)
	runner.Missing = s.definitions.Missing
	verdicts, err := runner.Run(ctx, s.sets)
	if err != nil {
		return err
	}
	return writeVerdicts(s.verdicts, verdicts, s.stdout, s.log)
}

func newRunner(client *cluster.Client, rules agree.Rules, log *log, sets []*agree.Set) *agree.Runner {
	total := agree.Count(sets)
	log.printf("Asking about %d cases.", total)
	return &agree.Runner{Client: client, Rules: rules, Report: func(done int) { log.printf("%d of %d cases are done.", done, total) }}
}

// writeVerdicts writes the verdicts and prints how many there are of each sort.
func writeVerdicts(path string, verdicts []*agree.Verdict, stdout io.Writer, log *log) error {
	if err := agree.Write(path, verdicts); err != nil {
		return err
	}
	accepted, failed := 0, 0
	for _, verdict := range verdicts {
		switch {
		case verdict.Error != "":
			failed++
		case verdict.Accepted:
			accepted++
		}
	}
	fmt.Fprintf(stdout, "\nCases: %d accepted, %d refused, %d without an answer\n", accepted, len(verdicts)-accepted-failed, failed)
	log.printf("Asked about %d cases.", len(verdicts))
	return nil
}
