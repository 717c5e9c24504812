package alive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"conformance/internal/live"
	"conformance/internal/process"
	"conformance/internal/standins"
)

// errHopeless marks an error that waiting does not mend.
var errHopeless = errors.New("it does not come right by itself")

// interval is the time between two looks at what is waited for.
const interval = 300 * time.Millisecond

// awaitInTenant is await with a client of the tenant's API server that may do everything.
func (t *tenant) awaitInTenant(ctx context.Context, limit time.Duration, look func(client *live.Client) (missing string, err error)) error {
	return await(ctx, limit, func() (string, error) {
		client, _, err := standins.TenantClient(ctx, t.client, t.namespace(), t.name(), manager)
		if err != nil || client == nil {
			return "there is no kubeconfig of the tenant", err
		}
		return look(client)
	})
}

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
		if errors.Is(err, errHopeless) {
			return err
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
