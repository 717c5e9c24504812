import { Rule } from '../../manifests/values/problem';

/** What is demanded of an app that writes a GitOps repository. */
export const GITOPS_RULES = {
  emptied: {
    id: 'TC-GITOPS-EMPTIED',
    title: 'The output must not be removed before synthesis: files that are not committed are lost.',
    source: 'cdk8s-team/cdk8s-cli src/cli/cmds/synth.ts (fs.rmSync)',
    warning: true,
  },
  entryName: {
    id: 'TC-GITOPS-ENTRY-NAME',
    title: 'No two folders have entries of one name: a GitOps tool would be told of one of them only.',
  },
  folder: {
    id: 'TC-GITOPS-FOLDER',
    title: 'Two charts do not write into one folder.',
  },
  ignored: {
    id: 'TC-GITOPS-IGNORED',
    title: 'Files that a GitOps tool reads from Git must not be ignored by Git: no commit would have them.',
    source: 'git-scm.com/docs/gitignore',
    warning: true,
  },
  kept: {
    id: 'TC-GITOPS-KEPT',
    title: 'A cluster is taken down before it is removed from the code: its files are kept until then.',
    source: 'kubernetes-sigs/cluster-api issues 1444 and 13536 (the Cluster is deleted, and nothing else before it is gone)',
    warning: true,
  },
  keptConflict: {
    id: 'TC-GITOPS-KEPT-CONFLICT',
    title: 'A cluster of the code makes nothing that a cluster which is kept makes, too, where one list leads to both: kustomize would apply nothing of it.',
    source: 'kubernetes-sigs/kustomize api/resmap/reswrangler.go (may not add resource with an already registered id)',
  },
  listsIgnored: {
    id: 'TC-GITOPS-LISTS-IGNORED',
    title: 'Git must not ignore the lists of written files: without them, synthesis does not know which clusters live.',
    source: 'git-scm.com/docs/gitignore',
  },
  managementClusters: {
    id: 'TC-GITOPS-MANAGEMENT-CLUSTERS',
    title: 'Clusters of different management clusters must not share a folder of entry points: each management cluster would apply all of them.',
  },
  managementMoved: {
    id: 'TC-GITOPS-MANAGEMENT-MOVED',
    title: 'An output must not have files of management clusters both at its top and in a folder for each.',
  },
  managementName: {
    id: 'TC-GITOPS-MANAGEMENT-NAME',
    title: 'In an output with a folder for each management cluster, every chart must be in one that has a name, and no two have the same name.',
  },
  only: {
    id: 'TC-GITOPS-ONLY',
    title: 'A selection of what is written names clusters of the app, or "shared".',
  },
  order: {
    id: 'TC-GITOPS-ORDER',
    title: 'Folders that are applied by themselves do not depend on each other both ways: neither could be the first.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (dependsOn)',
    warning: true,
  },
  path: {
    id: 'TC-GITOPS-PATH',
    title: 'The path at which a GitOps tool reads the output must be the place of the output in its Git repository.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (path), argoproj/argo-cd docs/operator-manual/application.yaml (path)',
  },
  pathOutside: {
    id: 'TC-GITOPS-PATH-OUTSIDE',
    title: 'Outside of a Git repository, the path at which a GitOps tool reads the output must end like the path of the output folder.',
    warning: true,
  },
  unwritten: {
    id: 'TC-GITOPS-UNWRITTEN',
    title: 'An app with charts must be synthesized: without synth() it writes nothing.',
    warning: true,
  },
} satisfies Record<string, Rule>;
