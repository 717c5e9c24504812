package sandbox

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// bridge is the link that pods are connected to.
const bridge = "pods"

// Setup turns the namespaces that Run has made into a machine: its own view of processes, its addresses, a bridge for pods, and a DNS client that asks
// resolver. dir is for files.
func Setup(dir string, resolver netip.Addr) error {
	// Nothing that is mounted here reaches the machine outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := useResolver(dir, resolver); err != nil {
		return err
	}
	return setupNetwork()
}

// useResolver lets the programs of the machine ask one DNS server, and no file of the machine outside.
func useResolver(dir string, resolver netip.Addr) error {
	for path, content := range map[string]string{
		"/etc/resolv.conf": fmt.Sprintf("nameserver %s\nsearch svc.cluster.local cluster.local\n", resolver),
		"/etc/hosts":       "127.0.0.1 localhost\n",
	} {
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		if err := unix.Mount(file, target, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount %s: %w", path, err)
		}
	}
	return nil
}

func setupNetwork() error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("find the loopback interface: %w", err)
	}
	if err := netlink.LinkSetUp(loopback); err != nil {
		return fmt.Errorf("start the loopback interface: %w", err)
	}
	if err := addAddress(loopback, netip.PrefixFrom(Node, 32)); err != nil {
		return err
	}
	// Whatever address of these ranges is asked, this machine answers.
	for _, local := range []netip.Prefix{Services, LoadBalancers} {
		if err := answerFor(loopback, local); err != nil {
			return err
		}
	}
	pods := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: bridge}}
	if err := netlink.LinkAdd(pods); err != nil {
		return fmt.Errorf("make the bridge of the pods: %w", err)
	}
	if err := addAddress(pods, netip.PrefixFrom(Gateway, Pods.Bits())); err != nil {
		return err
	}
	if err := netlink.LinkSetUp(pods); err != nil {
		return fmt.Errorf("start the bridge of the pods: %w", err)
	}
	return nil
}

// AnswerFor makes an address one of this machine, if it is not yet.
func AnswerFor(address netip.Addr) error {
	loopback, err := netlink.LinkByName("lo")
	if err != nil {
		return fmt.Errorf("find the loopback interface: %w", err)
	}
	return answerFor(loopback, netip.PrefixFrom(address, address.BitLen()))
}

func answerFor(loopback netlink.Link, local netip.Prefix) error {
	route := &netlink.Route{LinkIndex: loopback.Attrs().Index, Dst: ipNet(local), Table: unix.RT_TABLE_LOCAL, Type: unix.RTN_LOCAL, Scope: netlink.SCOPE_HOST}
	if err := netlink.RouteAdd(route); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("make the range %s local: %w", local, err)
	}
	return nil
}

func addAddress(link netlink.Link, prefix netip.Prefix) error {
	if err := netlink.AddrAdd(link, &netlink.Addr{IPNet: ipNet(prefix)}); err != nil {
		return fmt.Errorf("add the address %s to %s: %w", prefix, link.Attrs().Name, err)
	}
	return nil
}

func ipNet(prefix netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())}
}
