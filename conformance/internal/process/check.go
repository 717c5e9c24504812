package process

import (
	"errors"
	"fmt"
	"net/netip"
)

// Lost returns an error if a process has ended by itself.
func Lost() error {
	if lost := running.firstLost(); lost != nil {
		return lost.Err()
	}
	return nil
}

// Check returns an error if a process has ended by itself, or if one listens on an address that other machines can reach.
// Only on Linux can it tell the latter.
func Check() error {
	if err := Lost(); err != nil {
		return err
	}
	var problems []error
	for _, p := range running.all(false) {
		addresses, err := Listeners(p.cmd.Process.Pid)
		if err != nil {
			return fmt.Errorf("find out where %s listens: %w", p.name, err)
		}
		for _, address := range addresses {
			if !isLoopback(address) {
				problems = append(problems, fmt.Errorf("%s listens on %s, not on a loopback address", p.name, address))
			}
		}
	}
	return errors.Join(problems...)
}

func isLoopback(address netip.AddrPort) bool { return address.Addr().Unmap().IsLoopback() }
