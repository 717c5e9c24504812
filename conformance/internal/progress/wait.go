package progress

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// pollInterval is the time between two looks at the objects.
const pollInterval = 250 * time.Millisecond

// goal is a state of the objects. It returns what is missing, empty if nothing is, in words a person can act on.
type goal func(ctx context.Context) (missing string, err error)

// until waits for a goal. When it gives up, the error says what it waited for, how long, and what was missing at last.
func (c *checker) until(ctx context.Context, what string, limit time.Duration, reached goal) error {
	limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("waited %s", limit))
	defer cancel()
	started, missing := time.Now(), ""
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		found, err := reached(limited)
		var broken *violation
		switch {
		case errors.As(err, &broken):
			return fmt.Errorf("while waiting for %s: %w", what, err)
		case err == nil && found == "":
			c.note("%s (%.1fs)", what, time.Since(started).Seconds())
			return nil
		case err == nil:
			missing = found
		case limited.Err() == nil:
			missing = err.Error()
		}
		for _, p := range c.processes {
			select {
			case <-p.Done():
				return fmt.Errorf("while waiting for %s: %w", what, p.Err())
			default:
			}
		}
		select {
		case <-limited.Done():
			return c.gaveUp(what, context.Cause(limited), missing)
		case <-ticker.C:
		}
	}
}

func (c *checker) gaveUp(what string, cause error, missing string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "no progress to: %s (%v); missing at last:\n    %s", what, cause, strings.ReplaceAll(missing, "\n", "\n    "))
	if problem := c.standIns.Problem(); problem != nil {
		fmt.Fprintf(&out, "\n  a stand-in fails: %v", problem)
	}
	fmt.Fprintf(&out, "\n  the logs of the controllers are in %s (kept with --keep)", c.dir)
	return errors.New(out.String())
}

// violation is a state that must never be, not even for a moment.
type violation struct{ message string }

func (v *violation) Error() string { return v.message }

// findings are what is missing or wrong, one a line.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f findings) String() string { return strings.Join(f, "\n") }
