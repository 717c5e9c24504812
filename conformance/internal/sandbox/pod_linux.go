package sandbox

import (
	"fmt"
	"net/netip"
	"os"
	"runtime"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// Pod is a network namespace with an address in the range of the pods.
type Pod struct {
	Address netip.Addr
	handle  netns.NsHandle
	link    netlink.Link
}

// NewPod makes a network namespace that reaches the machine, the other pods and nothing else. number is one that no other pod has; its link is named after it.
func NewPod(number int, address netip.Addr) (_ *Pod, err error) {
	// Only this thread goes into the new namespace and back.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	machine, err := netns.Get()
	if err != nil {
		return nil, fmt.Errorf("find the network of the machine: %w", err)
	}
	defer machine.Close()
	handle, err := netns.New()
	if err != nil {
		return nil, fmt.Errorf("make a network for a pod: %w", err)
	}
	if err := netns.Set(machine); err != nil {
		return nil, fmt.Errorf("go back to the network of the machine: %w", err)
	}
	pod := &Pod{Address: address, handle: handle}
	defer func() {
		if err != nil {
			pod.Close()
		}
	}()
	return pod, pod.connect(fmt.Sprintf("pod%d", number))
}

// connect joins the pod and the bridge.
func (p *Pod) connect(name string) error {
	pods, err := netlink.LinkByName(bridge)
	if err != nil {
		return fmt.Errorf("find the bridge of the pods: %w", err)
	}
	attributes := netlink.NewLinkAttrs()
	attributes.Name, attributes.MasterIndex = name, pods.Attrs().Index
	pair := &netlink.Veth{LinkAttrs: attributes, PeerName: "eth0", PeerNamespace: netlink.NsFd(p.handle)}
	if err := netlink.LinkAdd(pair); err != nil {
		return fmt.Errorf("connect the pod %s: %w", p.Address, err)
	}
	p.link = pair
	if err := netlink.LinkSetUp(pair); err != nil {
		return fmt.Errorf("connect the pod %s: %w", p.Address, err)
	}
	inside, err := netlink.NewHandleAt(p.handle)
	if err != nil {
		return fmt.Errorf("reach the network of the pod %s: %w", p.Address, err)
	}
	defer inside.Close()
	for _, name := range []string{"lo", "eth0"} {
		link, err := inside.LinkByName(name)
		if err != nil {
			return fmt.Errorf("find %s of the pod %s: %w", name, p.Address, err)
		}
		if name == "eth0" {
			if err := inside.AddrAdd(link, &netlink.Addr{IPNet: ipNet(netip.PrefixFrom(p.Address, Pods.Bits()))}); err != nil {
				return fmt.Errorf("give the pod its address %s: %w", p.Address, err)
			}
		}
		if err := inside.LinkSetUp(link); err != nil {
			return fmt.Errorf("start %s of the pod %s: %w", name, p.Address, err)
		}
	}
	if err := inside.RouteAdd(&netlink.Route{Gw: Gateway.AsSlice()}); err != nil {
		return fmt.Errorf("give the pod %s a way out: %w", p.Address, err)
	}
	return nil
}

// File returns the namespace as a file to hand to a process. The caller closes it.
func (p *Pod) File() (*os.File, error) {
	fd, err := dup(int(p.handle))
	if err != nil {
		return nil, fmt.Errorf("hand on the network of the pod %s: %w", p.Address, err)
	}
	return os.NewFile(uintptr(fd), "network"), nil
}

// Do runs a function in the network of the pod.
func (p *Pod) Do(action func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	machine, err := netns.Get()
	if err != nil {
		return fmt.Errorf("find the network of the machine: %w", err)
	}
	defer machine.Close()
	if err := netns.Set(p.handle); err != nil {
		return fmt.Errorf("enter the network of the pod %s: %w", p.Address, err)
	}
	err = action()
	if back := netns.Set(machine); back != nil {
		panic(back) // A thread in a wrong network must not go on.
	}
	return err
}

// Close removes the network.
func (p *Pod) Close() {
	if p.link != nil {
		_ = netlink.LinkDel(p.link) // Gone with the namespace otherwise.
	}
	_ = p.handle.Close()
}

func dup(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0) }
