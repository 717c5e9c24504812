package alive

import (
	"context"
	"fmt"
	"time"

	"conformance/internal/process"
)

// interval is the time between two looks at what is waited for.
const interval = 300 * time.Millisecond

// await looks until something is there. look returns what is missing, or nothing.
func await(ctx context.Context, limit time.Duration, look func() (missing string, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		if err := process.Lost(); err != nil {
			return err
		}
		missing, err := look()
		if err == nil && missing == "" {
			return nil
		}
		if err != nil {
			missing = err.Error()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("after %s: %s", limit, missing)
		case <-time.After(interval):
		}
	}
}
