package main

import (
	"context"

	"conformance/internal/controllers"
	"conformance/internal/progress"
)

// checkProgress lets the real controllers work on tenants.
func (s *suite) checkProgress(ctx context.Context) error {
	if len(s.progress) == 0 {
		return nil
	}
	return progress.Run(ctx, &progress.Setup{Setup: s.controllers(), Out: s.stdout}, s.progress)
}

func (s *suite) controllers() controllers.Setup {
	return controllers.Setup{ControlPlane: s.controlPlane, BinDir: s.bin, Dir: s.temp}
}
