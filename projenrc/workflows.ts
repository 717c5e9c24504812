import { github, JsonPatch, release, TestFailureBehavior } from 'projen';

const { ActionRefs, GithubWorkflow } = github;
const { JobPermission } = github.workflows;

type Step = github.workflows.JobStep;

/** Commits of actions that projen knows by a tag only, which their owner can move. The comment is the tag that a commit has. */
const COMMITS: Readonly<Record<string, string>> = {
  'actions/cache/restore': '0057852bfaa89a56745cba8c7296529d2fc39830', // v4.3.0
  'actions/cache/save': '0057852bfaa89a56745cba8c7296529d2fc39830', // v4.3.0
  'actions/deploy-pages': 'd6db90164ac5ed86f2b6aed7e0febac5b3c0c03e', // v4.0.5
  'actions/setup-go': 'b7ad1dad31e06c5925ef5d2fc7ad053ef454303e', // v7.0.0
  'actions/setup-node': '820762786026740c76f36085b0efc47a31fe5020', // v7.0.0
  'actions/setup-python': '5fda3b95a4ea91299a34e894583c3862153e4b97', // v7.0.0
  'actions/upload-pages-artifact': '56afc609e74202658d3ffba0e8f6dda462b719fa', // v3.0.1
};

/** Has workflows run actions by their commits. */
export function pinActions({ actions }: github.GitHub): void {
  for (const [action, commit] of Object.entries(COMMITS)) actions.set(action, `${action}@${commit}`);
}

/** The release of Node.js that workflows use. */
export const NODE = '24';

const CHECKOUT: Step = { uses: ActionRefs.ACTIONS_CHECKOUT };
const SETUP_NODE: Step = { uses: ActionRefs.ACTIONS_SETUP_NODE, with: { 'node-version': NODE } };
const SETUP_GO: Step = { uses: ActionRefs.ACTIONS_SETUP_GO, with: { 'go-version': 'stable', 'cache-dependency-path': 'conformance/**/go.sum' } };
const RUNNER = ['ubuntu-latest'];

/** What living tenants need built, which depends on nothing else. */
const RESTORE_BUILT: Step = {
  id: 'built',
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
  { name: 'Bill of materials', run: 'node -r ./scripts/esbuild-register.js scripts/release/main.ts sbom > dist/sbom.cdx.json' },
  { name: 'The program in one file', run: 'node -r ./scripts/esbuild-register.js scripts/single-file.ts' },
  { name: 'Notes', run: 'node -r ./scripts/esbuild-register.js scripts/release/main.ts notes > dist/changelog.md' },
  // Here, and not where projen does it: what publishes runs no code of the packages that are installed. The package has the version.
  { name: 'Packages of other languages', run: 'tar --strip-components=1 -xzf dist/js/*.tgz && npx projen package:python && npx projen package:go' },
];

/** Adds the bill of materials and the program in one file to the release on GitHub, which projen makes last. */
export function addReleaseFiles(releases: release.Release): void {
  releases.addJobs({
    release_files: {
      needs: ['release', 'release_github'],
      runsOn: RUNNER,
      permissions: { contents: JobPermission.WRITE },
      if: '!inputs.dry_run',
      steps: [
        { uses: ActionRefs.ACTIONS_DOWNLOAD_ARTIFACT, with: { 'artifact-ids': '${{ needs.release.outputs.artifact_id }}', 'path': 'dist' } },
        {
          run: 'gh release upload "$(cat dist/releasetag.txt)" dist/sbom.cdx.json dist/cdk8s-cluster-api.cjs --repo "$GITHUB_REPOSITORY"',
          env: { GH_TOKEN: '${{ github.token }}' },
        },
      ],
    },
  });
}

/** Puts the documentation site of the release on GitHub Pages: the address that findings link to. One job makes it, another one may publish it. */
export function addSite(releases: release.Release): void {
  releases.addJobs({
    release_site: {
      needs: ['release', 'release_npm'],
      runsOn: RUNNER,
      permissions: { contents: JobPermission.READ },
      if: '!inputs.dry_run',
      steps: [
        CHECKOUT, SETUP_NODE, { run: 'npm ci' }, { run: 'npm run example' },
        { run: 'npm run docs', env: { DOCS_BASE: '/${{ github.event.repository.name }}/' } },
        // projen knows no digest of these.
        { uses: 'actions/upload-pages-artifact@v3', with: { path: 'docs/.vitepress/dist' } },
      ],
    },
    release_pages: {
      needs: ['release_site'],
      runsOn: RUNNER,
      permissions: { pages: JobPermission.WRITE, idToken: JobPermission.WRITE },
      environment: 'github-pages',
      if: '!inputs.dry_run',
      steps: [{ uses: 'actions/deploy-pages@v4' }],
    },
  });
}

/** Steps of the jobs that publish by which projen installs packages and makes the artifact once more, with their first position. */
const REPACKED: Readonly<Record<string, number>> = { npm: 3, pypi: 4, golang: 4 };
const REPACKING = ['Checkout', 'Install Dependencies', 'Extract build artifact', 'Move build artifact out of the way'];

/**
 * Changes the workflow that projen writes: the registry of npm is what publib takes without a name, nothing is published elsewhere where npm fails, the job that
 * runs the code of all packages may not write, and those that publish run none of it.
 */
export function correctRelease(hub: github.GitHub): void {
  const env = '/jobs/release_npm/steps/9/env';
  const { file } = hub.tryFindWorkflow('release')!;
  file!.patch(
    JsonPatch.test(`${env}/NPM_DIST_TAG`, 'latest', TestFailureBehavior.FAIL_SYNTHESIS), JsonPatch.remove(`${env}/NPM_REGISTRY`),
    ...['pypi', 'golang'].map((name) => JsonPatch.replace(`/jobs/release_${name}/needs`, ['release', 'release_npm'])),
    JsonPatch.replace('/jobs/release/permissions/contents', 'read'),
  );
  for (const [name, first] of Object.entries(REPACKED)) {
    const steps = `/jobs/release_${name}/steps`;
    file!.patch(
      ...REPACKING.map((step, index) => JsonPatch.test(`${steps}/${first + index}/name`, step, TestFailureBehavior.FAIL_SYNTHESIS)),
      JsonPatch.test(`${steps}/${first + REPACKING.length + 2}/name`, 'Release', TestFailureBehavior.FAIL_SYNTHESIS),
      ...Array.from({ length: REPACKING.length + 2 }, () => JsonPatch.remove(`${steps}/${first}`)),
    );
  }
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
