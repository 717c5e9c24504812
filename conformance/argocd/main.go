// Command argocd runs a controller of Argo CD by its name, or a store in memory in place of Redis.
package main

import (
	"fmt"
	"os"

	"github.com/alicebob/miniredis/v2"
	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	applicationset "github.com/argoproj/argo-cd/v3/cmd/argocd-applicationset-controller/commands"
	reposerver "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "argocd", SilenceUsage: true}
	root.AddCommand(controller.NewCommand(), applicationset.NewCommand(), reposerver.NewCommand(), &cobra.Command{
		Use: "redis ADDRESS", Args: cobra.ExactArgs(1), RunE: runStore,
	})
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runStore serves the protocol of Redis until the program is stopped.
func runStore(_ *cobra.Command, args []string) error {
	store := miniredis.NewMiniRedis()
	if err := store.StartAddr(args[0]); err != nil {
		return fmt.Errorf("serve on %s: %w", args[0], err)
	}
	select {} // Until the process is killed.
}
