package process

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// stateListen is how the tables in /proc call the state of a socket that accepts connections.
const stateListen = "0A"

// Listeners returns the TCP addresses on which a process accepts connections. A process that has ended has none.
func Listeners(pid int) ([]netip.AddrPort, error) {
	directory := filepath.Join("/proc", strconv.Itoa(pid))
	sockets, err := socketsOf(directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var addresses []netip.AddrPort
	for _, table := range []string{"tcp", "tcp6"} {
		content, err := os.ReadFile(filepath.Join(directory, "net", table))
		if errors.Is(err, fs.ErrNotExist) {
			continue // Ended in the meantime, or a machine without IPv6.
		}
		if err != nil {
			return nil, err
		}
		found, err := listening(content, sockets)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
		addresses = append(addresses, found...)
	}
	return addresses, nil
}

// socketsOf returns the inodes of the sockets that a process has open.
func socketsOf(directory string) (map[string]bool, error) {
	entries, err := os.ReadDir(filepath.Join(directory, "fd"))
	if err != nil {
		return nil, err
	}
	sockets := map[string]bool{}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(directory, "fd", entry.Name()))
		if err != nil {
			continue // Closed in the meantime.
		}
		if inode, ok := strings.CutPrefix(target, "socket:["); ok {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return sockets, nil
}

// listening returns the local addresses of those sockets that a table shows as listening.
func listening(table []byte, sockets map[string]bool) ([]netip.AddrPort, error) {
	// The columns of the table that matter.
	const local, state, inode = 1, 3, 9
	var addresses []netip.AddrPort
	lines := bufio.NewScanner(bytes.NewReader(table))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) <= inode || fields[state] != stateListen || !sockets[fields[inode]] {
			continue
		}
		address, err := parseAddress(fields[local])
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, address)
	}
	return addresses, lines.Err()
}

// parseAddress reads an address such as 0100007F:1F90: 32-bit words in the order of the machine's bytes, and a port.
func parseAddress(text string) (netip.AddrPort, error) {
	host, port, _ := strings.Cut(text, ":")
	data, err := hex.DecodeString(host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read the address %s: %w", text, err)
	}
	for i := 0; i+4 <= len(data); i += 4 {
		binary.BigEndian.PutUint32(data[i:], binary.NativeEndian.Uint32(data[i:]))
	}
	address, ok := netip.AddrFromSlice(data)
	if !ok {
		return netip.AddrPort{}, fmt.Errorf("read the address %s: %d bytes", text, len(data))
	}
	number, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read the port of %s: %w", text, err)
	}
	return netip.AddrPortFrom(address, uint16(number)), nil
}
