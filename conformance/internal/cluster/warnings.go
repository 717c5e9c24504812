package cluster

import "context"

// warnings collects the warnings of the requests made with one context.
type warnings struct{ messages []string }

type warningsKey struct{}

// withWarnings returns a context whose requests report their warnings to the collector.
func withWarnings(ctx context.Context) (context.Context, *warnings) {
	collector := &warnings{}
	return context.WithValue(ctx, warningsKey{}, collector), collector
}

// warningHandler hands each warning to the collector of the request's context and drops the others.
type warningHandler struct{}

func (warningHandler) HandleWarningHeaderWithContext(ctx context.Context, code int, _, message string) {
	const miscellaneous = 299 // The only code API servers use.
	if collector, ok := ctx.Value(warningsKey{}).(*warnings); ok && code == miscellaneous {
		collector.messages = append(collector.messages, message)
	}
}
