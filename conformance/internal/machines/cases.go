package machines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"conformance/internal/programs"
	"conformance/internal/standins"
)

// Case is a machine of which kubeadm and a kubelet are asked whether it becomes a node.
type Case struct {
	ID string `json:"id"`
	// Version is that of Kubernetes on the machine.
	Version string `json:"version"`
	// Data is cloud-init's, or else there are Files, by their paths.
	Data  string            `json:"data"`
	Files map[string]string `json:"files"`
	// Init and Join are the files with the configuration of kubeadm; one is empty.
	Init string `json:"init"`
	Join string `json:"join"`
	// ConfigMaps are the data of what kubeadm reads in the cluster that is joined, by name.
	ConfigMaps map[string]map[string]string `json:"configMaps"`
	// Refused is a part of what must be said against the machine; empty if it must become a node.
	Refused string `json:"refused"`
}

// Read reads cases from a file with a JSON object on each line.
func Read(path string) ([]*Case, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the machines: %w", err)
	}
	defer file.Close()
	var cases []*Case
	for decoder := json.NewDecoder(file); ; {
		c := &Case{}
		if err := decoder.Decode(c); errors.Is(err, io.EOF) {
			return cases, nil
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		cases = append(cases, c)
	}
}

// Run asks about all machines, with the tools in the directory bin, and reports to out. It returns how many are not as they must be.
func Run(ctx context.Context, dir, bin string, table *programs.Table, cases []*Case, out io.Writer) (wrong int, err error) {
	cluster, err := StartCluster(dir)
	if err != nil {
		return 0, err
	}
	defer cluster.Stop()
	for i, c := range cases {
		tools, err := table.NodeTools(c.Version)
		if err != nil {
			return wrong, err
		}
		files := c.Files
		if c.Data != "" {
			if files, err = standins.Files([]byte(c.Data)); err != nil {
				return wrong, fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		cluster.Store(c.ConfigMaps)
		machine, err := New(filepath.Join(dir, fmt.Sprintf("machine-%d", i)), bin, tools, cluster.Fill(files))
		if err != nil {
			return wrong, err
		}
		verdict := c.ask(ctx, machine)
		if err := machine.Remove(); err != nil {
			return wrong, fmt.Errorf("remove a machine: %w", err)
		}
		if fault := c.fault(verdict); fault != "" {
			wrong++
			fmt.Fprintf(out, "FAILED %s\n  %s\n", c.ID, strings.ReplaceAll(fault, "\n", "\n  "))
			continue
		}
		fmt.Fprintf(out, "  %s\n", c.ID)
	}
	return wrong, ctx.Err()
}

// ask returns why the machine does not become a node.
func (c *Case) ask(ctx context.Context, machine *Machine) error {
	if err := machine.Validate(ctx, c.Init+c.Join); err != nil {
		return err
	}
	if c.Init != "" {
		return machine.Init(ctx, c.Init)
	}
	return machine.Join(ctx, c.Join)
}

// fault returns what is wrong with a verdict, or nothing.
func (c *Case) fault(verdict error) string {
	switch {
	case verdict == nil && c.Refused == "":
		return ""
	case verdict == nil:
		return "it becomes a node, and should not: " + c.Refused
	case c.Refused != "" && strings.Contains(verdict.Error(), c.Refused):
		return ""
	}
	return verdict.Error()
}
