import { github, JsonPatch, release, TestFailureBehavior } from 'projen';

const { ActionRefs, GithubWorkflow } = github;
const { JobPermission } = github.workflows;

type Step = github.workflows.JobStep;

/** The release of Node.js that workflows use. */
export const NODE = '24';

const CHECKOUT: Step = { uses: ActionRefs.ACTIONS_CHECKOUT };
const SETUP_NODE: Step = { uses: ActionRefs.ACTIONS_SETUP_NODE, with: { 'node-version': NODE } };
const SETUP_GO: Step = { uses: ActionRefs.ACTIONS_SETUP_GO, with: { 'go-version': 'stable', 'cache-dependency-path': 'conformance/**/go.sum' } };
const RUNNER = ['ubuntu-latest'];

/** What living tenants need built, which depends on nothing else. */
const RESTORE_BUILT: Step = {
  id: 'built',
  // projen knows no digest of it.
  uses: 'actions/cache/restore@v4',
  with: {
    path: '~/.cache/cdk8s-cluster-api',
    key: '${{ runner.os }}-${{ steps.go.outputs.go-version }}-${{ hashFiles(\'conformance/**/*.mod\', \'conformance/sources.json\') }}',
  },
};

/** Keeps it, also where a tenant did not live. */
const SAVE_BUILT: Step = {
  uses: 'actions/cache/save@v4',
  if: '!cancelled() && steps.built.outputs.cache-hit != \'true\'',
  with: { path: '~/.cache/cdk8s-cluster-api', key: '${{ steps.built.outputs.cache-primary-key }}' },
};

/** What the release holds besides the packages. */
export const RELEASE_STEPS: github.workflows.JobStep[] = [
  { name: 'Bill of materials', run: 'node -r ts-node/register/transpile-only scripts/release/main.ts sbom > dist/sbom.cdx.json' },
  { name: 'Notes', run: 'node -r ts-node/register/transpile-only scripts/release/main.ts notes > dist/changelog.md' },
];

/** Adds the bill of materials to the release on GitHub, which projen makes last. */
export function addBillOfMaterials(releases: release.Release): void {
  releases.addJobs({
    release_bill_of_materials: {
      needs: ['release', 'release_github'],
      runsOn: RUNNER,
      permissions: { contents: JobPermission.WRITE },
      if: '!inputs.dry_run',
      steps: [
        { uses: ActionRefs.ACTIONS_DOWNLOAD_ARTIFACT, with: { 'artifact-ids': '${{ needs.release.outputs.artifact_id }}', 'path': 'dist' } },
        {
          run: 'gh release upload "$(cat dist/releasetag.txt)" dist/sbom.cdx.json --repo "$GITHUB_REPOSITORY"',
          env: { GH_TOKEN: '${{ github.token }}' },
        },
      ],
    },
  });
}

/** Puts the documentation site of the release on GitHub Pages: the address that findings link to. */
export function addSite(releases: release.Release): void {
  releases.addJobs({
    release_site: {
      needs: ['release', 'release_npm'],
      runsOn: RUNNER,
      permissions: { contents: JobPermission.READ, pages: JobPermission.WRITE, idToken: JobPermission.WRITE },
      environment: 'github-pages',
      if: '!inputs.dry_run',
      steps: [
        CHECKOUT, SETUP_NODE, { run: 'npm ci' }, { run: 'npm run example' },
        { run: 'npm run docs', env: { DOCS_BASE: '/${{ github.event.repository.name }}/' } },
        // projen knows no digest of these.
        { uses: 'actions/upload-pages-artifact@v3', with: { path: 'docs/.vitepress/dist' } },
        { uses: 'actions/deploy-pages@v4' },
      ],
    },
  });
}

/** Changes the workflow that projen writes: the registry of npm is what publib takes without a name, and nothing is published elsewhere where npm fails. */
export function correctRelease(hub: github.GitHub): void {
  const env = '/jobs/release_npm/steps/9/env';
  hub.tryFindWorkflow('release')!.file!.patch(
    JsonPatch.test(`${env}/NPM_DIST_TAG`, 'latest', TestFailureBehavior.FAIL_SYNTHESIS), JsonPatch.remove(`${env}/NPM_REGISTRY`),
    ...['pypi', 'golang'].map((name) => JsonPatch.replace(`/jobs/release_${name}/needs`, ['release', 'release_npm'])),
  );
}

/** The workflows that check; projen's own one releases. None of them can write. */
export function addWorkflows(hub: github.GitHub): void {
  const workflow = (name: string, on: github.workflows.Triggers, jobs: { [id: string]: readonly Step[] }): void => {
    const added = new GithubWorkflow(hub, name);
    added.on(on);
    for (const [id, steps] of Object.entries(jobs)) {
      added.addJob(id, { runsOn: RUNNER, permissions: { contents: JobPermission.READ }, steps: [...steps] });
    }
  };

  workflow('ci', { pullRequest: {}, push: { branches: ['main'] } }, {
    check: [CHECKOUT, SETUP_NODE, SETUP_GO, { run: 'bash .ci/run' }],
    // The action as others use it, on manifests of an example.
    action: [
      CHECKOUT, SETUP_NODE, { run: 'npm ci' }, { run: 'npm run example' },
      { uses: './', with: { folder: 'examples/diy-cloud/dist', comment: 'false' } },
    ],
  });

  workflow('nightly', { schedule: [{ cron: '17 2 * * *' }], workflowDispatch: {} }, {
    // With the browser of the runner; the script would install one, which takes root.
    check: [CHECKOUT, SETUP_NODE, SETUP_GO, { run: 'bash .ci/nightly', env: { CHROMIUM: '/usr/bin/google-chrome' } }],
    // Building what runs there takes longer than all other checks.
    live: [
      CHECKOUT, SETUP_NODE, { ...SETUP_GO, id: 'go' }, RESTORE_BUILT,
      // Namespaces take root.
      { run: 'sudo --preserve-env env "PATH=$PATH" "HOME=$HOME" bash .ci/nightly --live' },
      { name: 'Let the cache read what root has built', if: '!cancelled()', run: 'sudo chown --recursive "$USER" ~/.cache' },
      SAVE_BUILT,
    ],
  });

  // Fails where something has a newer release than the repository names: CONTRIBUTING.md says what to do then.
  workflow('upstream', { schedule: [{ cron: '17 5 * * 1' }], workflowDispatch: {} }, {
    upstream: [CHECKOUT, SETUP_NODE, SETUP_GO, { run: 'npm ci' }, { run: 'npm run upstream -- --exit-code' }],
  });
}
