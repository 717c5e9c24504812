//go:build linux

package process

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
)

func TestListeners(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "127.0.0.2:0", "[::1]:0", "0.0.0.0:0", "[::]:0"} {
		t.Run(address, func(t *testing.T) {
			listener, err := net.Listen("tcp", address)
			if err != nil {
				t.Skip("this machine has no such address: ", err)
			}
			defer listener.Close()
			want := netip.MustParseAddrPort(listener.Addr().String())
			got, err := Listeners(os.Getpid())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(got, want) {
				t.Errorf("%s is not among %v", want, got)
			}
			if isLoopback(want) == want.Addr().IsUnspecified() {
				t.Errorf("loopback: %v", isLoopback(want))
			}
		})
	}
}

func TestListenersOfNobody(t *testing.T) {
	const none = 1 << 30 // Above the highest number of a process.
	if got, err := Listeners(none); err != nil || len(got) > 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestListening(t *testing.T) {
	// Two sockets that listen, one of them of another process, and one that is connected.
	table := []byte(`  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0
   1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0
   2: 0100007F:1F91 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0
`)
	got, err := listening(table, map[string]bool{"11": true, "13": true})
	if want := []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8080")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}
