package main

import (
	"context"
	"fmt"

	"conformance/internal/check"
)

// checkFiles applies the files one after the other and prints the report.
func (s *suite) checkFiles(ctx context.Context) error {
	if len(s.files) == 0 {
		return nil
	}
	report := check.NewReport(s.stdout, check.Allowances())
	for _, file := range s.files {
		results, err := check.File(ctx, s.client, file, s.definitions.Missing)
		if err != nil {
			return err
		}
		report.Add(file, results)
	}
	if s.unused {
		report.CheckUnused()
	}
	report.Summarize()
	calls, err := s.client.WebhookCalls(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(s.stdout, "\nWebhook calls:")
	for _, call := range calls {
		fmt.Fprintf(s.stdout, "  %4d x %s\n", call.Count, call.Name)
	}
	s.log.printf("Checked %d files.", len(s.files))
	if report.Failed() {
		return errDisagreement
	}
	return nil
}
