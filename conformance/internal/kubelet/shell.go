package kubelet

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"
)

// netcatName is what this program is called by when it plays nc.
const netcatName = "nc"

// toolsPath is where an image with a shell has the tools that the machine may lack.
const toolsPath = "/tools"

// Shell is an image with the shell and the tools of the machine, in place of busybox.
func Shell() (Image, error) {
	self, err := os.Executable()
	if err != nil {
		return Image{}, fmt.Errorf("find this program: %w", err)
	}
	mounts := map[string]string{toolsPath + "/" + netcatName: self}
	for _, directory := range []string{"/bin", "/usr", "/lib", "/lib64"} {
		if _, err := os.Stat(directory); err == nil {
			mounts[directory] = directory
		} else if !errors.Is(err, fs.ErrNotExist) {
			return Image{}, fmt.Errorf("look for the tools of the machine: %w", err)
		}
	}
	return Image{Mounts: mounts, Env: []string{"PATH=" + toolsPath + ":/usr/bin:/bin"}}, nil
}

// netcat does what `nc -z [-w SECONDS] HOST PORT` of busybox does: it finds out whether something listens.
func netcat(args []string) int {
	flags := flag.NewFlagSet(netcatName, flag.ContinueOnError)
	seconds := flags.Int("w", 0, "seconds to wait")
	scan := flags.Bool("z", false, "only connect")
	if err := flags.Parse(args); err != nil || !*scan || flags.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "nc: only `nc -z [-w SECONDS] HOST PORT` is here")
		return 1
	}
	connection, err := net.DialTimeout("tcp", net.JoinHostPort(flags.Arg(0), flags.Arg(1)), time.Duration(*seconds)*time.Second)
	if err != nil {
		return 1
	}
	_ = connection.Close()
	return 0
}
