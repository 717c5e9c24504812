package alive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"conformance/internal/controlplane"
	"conformance/internal/rights"
)

// checkRights reads who has asked for what: no ServiceAccount of the page may have been refused, and each has used all that its Roles allow.
func (t *tenant) checkRights(context.Context) error {
	log, err := os.Open(controlplane.AuditLog(t.Dir))
	if err != nil {
		return fmt.Errorf("open the audit log: %w", err)
	}
	defer log.Close()
	report, err := rights.Read(log, t.objects)
	if err != nil {
		return err
	}
	t.note("%d ServiceAccounts have used %d rights", len(report.Requests), len(report.Used))
	var lines []string
	for user, requests := range report.Requests {
		if requests == 0 {
			lines = append(lines, user+" has never asked for anything")
		}
	}
	for _, refusal := range rights.Unexpected(rights.ExpectedRefusals(), report) {
		lines = append(lines, refusal.String())
	}
	unexplained, _ := rights.Explain(rights.Allowances(), report)
	for _, right := range unexplained {
		lines = append(lines, right.String()+" is allowed and was never used; take the right away, or list why it is needed")
	}
	if len(lines) > 0 {
		return errors.New("\n    " + strings.Join(lines, "\n    "))
	}
	return nil
}
