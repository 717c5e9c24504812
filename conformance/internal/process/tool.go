package process

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// toolGracePeriod is how long an interrupted tool may take to remove its temporary files.
const toolGracePeriod = 5 * time.Second

// RunTool runs a program that ends by itself, such as a compiler, in dir with additions to the environment, and returns its output.
// When the context ends, the tool and all processes it has started are interrupted, and what is left after a while is killed.
func RunTool(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	tool, err := running.start(name, cmd)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() {
		_ = tool.signal(syscall.SIGINT)
		select {
		case <-tool.done:
		case <-time.After(toolGracePeriod):
		}
		// Also those that the tool has left behind, which would keep its output open.
		_ = tool.signal(syscall.SIGKILL)
	})
	defer stop()
	err = running.wait(tool)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out.Bytes(), err
}
