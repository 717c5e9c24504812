//go:build linux

package main

import (
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"conformance/internal/golden"
	"conformance/internal/process"
)

const (
	// longestStart is a time after which the servers of a run with built executables are up.
	longestStart = 15 * time.Second
	// longestStop is how long an interrupted run may take to end.
	longestStop = 30 * time.Second
	// longestAfterStop is how long killed processes, which nobody waits for, may take to be gone.
	longestAfterStop = 15 * time.Second
)

// TestInterrupted ends the program at random points and looks for what it leaves behind.
func TestInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	requireExecutables(t)
	program := filepath.Join(t.TempDir(), "conformance")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	manifests := filepath.Join(golden.Folder(t), "management")
	tests := []struct {
		name    string
		signals []syscall.Signal
		// keepsFiles is set where nobody is left to remove temporary files.
		keepsFiles bool
	}{
		{name: "interrupt", signals: []syscall.Signal{syscall.SIGINT}},
		{name: "termination", signals: []syscall.Signal{syscall.SIGTERM}},
		{name: "interrupted twice", signals: []syscall.Signal{syscall.SIGINT, syscall.SIGINT}},
		{name: "killed", signals: []syscall.Signal{syscall.SIGKILL}, keepsFiles: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			delay := rand.N(longestStart)
			t.Logf("after %s", delay)
			temp := t.TempDir()
			cmd := exec.Command(program, manifests)
			cmd.Env = append(os.Environ(), "TMPDIR="+temp)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			listeners := watchListeners(t, temp, delay)
			for i, signal := range test.signals {
				if i > 0 {
					time.Sleep(sameInterrupt + 200*time.Millisecond)
				}
				_ = cmd.Process.Signal(signal)
			}
			select {
			case <-done:
			case <-time.After(longestStop):
				_ = cmd.Process.Kill()
				t.Fatalf("still running %s after the signal", longestStop)
			}
			checkNothingLeft(t, temp, listeners, test.keepsFiles)
		})
	}
}

// watchListeners returns where the processes of a run have listened until the time is over.
func watchListeners(t *testing.T, temp string, duration time.Duration) []netip.AddrPort {
	t.Helper()
	var all []netip.AddrPort
	for end := time.Now().Add(duration); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for _, pid := range processesOf(t, temp) {
			found, err := process.Listeners(pid)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, found...)
		}
	}
	slices.SortFunc(all, netip.AddrPort.Compare)
	all = slices.Compact(all)
	for _, address := range all {
		if !address.Addr().IsLoopback() {
			t.Errorf("a process listened on %s", address)
		}
	}
	return all
}

// processesOf returns the processes that inherited the temporary directory.
func processesOf(t *testing.T, temp string) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		environment, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(environment), "\x00"), "TMPDIR="+temp) {
			continue // Ended in the meantime, or of somebody else.
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// checkNothingLeft looks for processes, ports and files of a run that has ended.
func checkNothingLeft(t *testing.T, temp string, listeners []netip.AddrPort, keepsFiles bool) {
	t.Helper()
	var left []int
	eventually(func() bool {
		left = processesOf(t, temp)
		return len(left) == 0
	})
	for _, pid := range left {
		command, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		t.Errorf("process %d is left: %s", pid, strings.ReplaceAll(string(command), "\x00", " "))
	}
	// A killed process gives back its memory, and with it what it is found by, before its sockets.
	for _, address := range listeners {
		var err error
		if !eventually(func() bool { err = listenOnce(address); return err == nil }) {
			t.Errorf("the port of %s is not free: %v", address, err)
		}
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !keepsFiles {
			t.Errorf("the temporary directory still has %s", entry.Name())
		}
	}
}

// eventually asks until the answer is yes, and returns no when that takes too long.
func eventually(ask func() bool) bool {
	for end := time.Now().Add(longestAfterStop); ; time.Sleep(100 * time.Millisecond) {
		if ask() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// listenOnce returns an error if the address is in use.
func listenOnce(address netip.AddrPort) error {
	listener, err := net.Listen("tcp", address.String())
	if err != nil {
		return err
	}
	return listener.Close()
}
