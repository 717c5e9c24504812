package agree

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Refuser is the part of the server that refuses an object.
type Refuser string

// The parts.
const (
	// Decoding reads the text: unknown and duplicate fields, values of another type.
	Decoding Refuser = "decoding"
	// Schema is the OpenAPI schema of a definition, or the validation of one of Kubernetes' own kinds.
	Schema Refuser = "schema"
	// CEL is a rule of x-kubernetes-validations.
	CEL Refuser = "cel"
	// Webhook is an admission webhook.
	Webhook Refuser = "webhook"
	// Other is everything else, such as a kind that does not exist.
	Other Refuser = "other"
)

// Cause is one reason for a refusal.
type Cause struct {
	Reason  string `json:"reason"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Verdict is the answer to one case.
type Verdict struct {
	ID       string `json:"id"`
	Accepted bool   `json:"accepted"`
	// Code and Reason are those of the server's status. They are empty when it accepts.
	Code   int32  `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
	// By is who refuses.
	By Refuser `json:"by,omitempty"`
	// Webhook is the name of the webhook that refuses.
	Webhook  string   `json:"webhook,omitempty"`
	Message  string   `json:"message,omitempty"`
	Causes   []Cause  `json:"causes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Error says why there is no answer to this case. Nothing else counts then.
	Error string `json:"error,omitempty"`
}

// Write writes verdicts as JSON objects, one a line.
func Write(path string, verdicts []*Verdict) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the verdicts: %w", err)
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	buffer := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	for _, verdict := range verdicts {
		if err := encoder.Encode(verdict); err != nil {
			return fmt.Errorf("write the verdicts: %w", err)
		}
	}
	return buffer.Flush()
}
