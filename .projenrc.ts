import { cdk, cdk8s, javascript, release } from 'projen';
import { addReleaseFiles, addSite, addWorkflows, correctRelease, NODE, pinActions, RELEASE_STEPS } from './projenrc/workflows';

// The oldest supported peers are the ones the library is compiled against; the packed tarball is also
// tried with the newest (`npm run check:package`).
const CDK8S_VERSION = '2.70.0';
const CONSTRUCTS_VERSION = '10.4.2';
const CDK8S_PLUS_VERSION = '2.5.6';

/** What `npm run docs` makes from the code, beside the pages that are committed. */
const SITE_PAGES = ['/docs/addons/', '/docs/construct-rules/', '/docs/reference/', '/docs/rules/'];

/** Tests that kill processes, or try many random inputs: `npm run test:slow`. */
const SLOW_TESTS = '\\.slow\\.test\\.ts$';

const project = new cdk8s.ConstructLibraryCdk8s({
  name: 'cdk8s-cluster-api',
  description: 'cdk8s constructs that declare tenant Kubernetes clusters: Cluster API, Kamaji, KubeVirt and what belongs around them',
  keywords: ['cdk8s', 'cluster-api', 'constructs', 'containers', 'gitops', 'k8s', 'kamaji', 'kubernetes', 'kubevirt'],
  author: 'The cdk8s-cluster-api authors',
  authorAddress: 'https://github.com/cdk8s-cluster-api',
  authorOrganization: true,
  repositoryUrl: 'https://github.com/cdk8s-cluster-api/cdk8s-cluster-api.git',
  // GitHub Pages of the repository: the command line and the README link to it.
  homepage: 'https://cdk8s-cluster-api.github.io/cdk8s-cluster-api/',
  license: 'Apache-2.0',
  stability: 'experimental',

  cdk8sVersion: CDK8S_VERSION,
  constructsVersion: CONSTRUCTS_VERSION,
  peerDeps: [`cdk8s-plus-28@^${CDK8S_PLUS_VERSION}`],
  devDeps: [
    '@jsii/spec',
    '@marcbachmann/cel-js',
    '@types/js-yaml@^4',
    '@types/node@^20',
    'ajv@^8',
    'esbuild',
    'fast-check',
    'json2jsii',
    // These become part of the bundle. dagre 2 and 3 reverse boxes that need no order.
    '@dagrejs/dagre@^1.1.8',
    'js-yaml',
    're2js@^2.10.0',
    'yaml',
  ],
  bin: { 'cdk8s-cluster-api': 'bin/cdk8s-cluster-api' },
  jsiiVersion: '~6.0.16',
  compressAssembly: true,
  minNodeVersion: '20.16.0',
  packageManager: javascript.NodePackageManager.NPM,
  projenrcTs: true,

  // jsii writes declarations and ECMAScript modules to `lib/src/` and `lib/imports/`; scripts/bundle.ts makes CommonJS of the modules.
  entrypoint: 'lib/index.js',
  entrypointTypes: 'lib/src/index.d.ts',
  tsconfig: { compilerOptions: { module: 'es2022', moduleResolution: javascript.TypeScriptModuleResolution.BUNDLER } },
  tsconfigDev: { compilerOptions: { module: 'node16', moduleResolution: javascript.TypeScriptModuleResolution.NODE16 } },
  // "strict" wants CommonJS from tsc.
  validateTsconfig: cdk.ValidateTsconfig.MINIMAL,

  // Not published yet. `npm run check:languages` generates the code of both, and runs programs with it.
  publishToPypi: { distName: 'cdk8s-cluster-api', module: 'cdk8s_cluster_api', trustedPublishing: true },
  publishToGo: { moduleName: 'github.com/cdk8s-cluster-api/cdk8s-cluster-api-go' },

  githubOptions: { mergify: false, pullRequestLint: false },
  buildWorkflow: false,
  pullRequestTemplate: false,
  workflowNodeVersion: NODE,

  // Only by hand, and only when the maintainers have set up the environment "release", and npm trusts it: see CONTRIBUTING.md.
  release: true,
  releaseTrigger: release.ReleaseTrigger.workflowDispatch(),
  releaseEnvironment: 'release',
  jsiiReleaseVersion: '0.2.1061',
  releaseToNpm: true,
  npmTrustedPublishing: true,
  npmProvenance: true,
  nextVersionCommand: 'node -r ./scripts/esbuild-register.js scripts/release/main.ts version',
  postBuildSteps: RELEASE_STEPS,

  depsUpgrade: false,
  docgen: false,
  jestOptions: {
    updateSnapshot: javascript.UpdateSnapshot.NEVER,
    junitReporting: false,
    jestConfig: {
      collectCoverage: false,
      testTimeout: 60_000,
      // Jest would leave one core idle, which is half of a machine with two.
      maxWorkers: '100%',
      testPathIgnorePatterns: ['/node_modules/', SLOW_TESTS],
      globalSetup: '<rootDir>/test/support/temporary-folder.ts',
      // The examples import the package by name; in tests that is the source.
      moduleNameMapper: { '^cdk8s-cluster-api$': '<rootDir>/src/index.ts', '^cdk8s-cluster-api/manifests$': '<rootDir>/src/manifests.ts' },
    },
  },
  eslintOptions: {
    dirs: ['src'],
    devdirs: ['test', 'scripts', 'examples'],
    projectService: false,
    // With --fix, it would make programs that follow changes, which takes longer. CI has no cache.
    commandOptions: { fix: false, extraArgs: ['--cache', '--cache-strategy=content', '--cache-location=node_modules/.cache/eslint/'] },
    ignorePatterns: ['*.js', '*.d.ts', 'node_modules/', '/imports/', '/examples/*/dist/', '!.projenrc.ts'],
  },
  gitignore: ['/.crds-cache/', '/.jsii.gz', '/examples/*/dist/', '/docs/.vitepress/cache/', '/docs/.vitepress/dist/', '/.venv/', '__pycache__/', '.pytest_cache/', ...SITE_PAGES],
});

// `exports` lets the examples import the package by its own name, as a user does, and keeps inner modules private.
project.package.addField('exports', {
  '.': { types: './lib/src/index.d.ts', default: './lib/index.js' },
  './manifests': { types: './lib/src/manifests.d.ts', default: './lib/manifests.js' },
  './package.json': './package.json',
  './.jsii': './.jsii',
});
project.package.addField('types', 'lib/src/index.d.ts');

// tsc checks types. For jest, esbuild compiles one file of tests at a time, and bundles the library.
project.deps.removeDependency('ts-jest');
project.jest!.config.transform = {
  '(\\.ts|/support/sources\\.js|/@marcbachmann/cel-js/lib/[^/]*\\.js|/node_modules/(cdk8s|constructs|js-yaml|yaml)/.*\\.js)$': ['<rootDir>/test/support/transform.js', { loader: 'ts', format: 'cjs', target: 'node20' }],
};
// The library of CEL is published as an ECMAScript module only; the other ones are made faster.
project.jest!.config.transformIgnorePatterns = ['/node_modules/(?!(@marcbachmann/cel-js|cdk8s|constructs|js-yaml|yaml)/)'];

for (const folder of ['scripts', 'examples']) {
  const { file } = new javascript.TypescriptConfig(project, {
    fileName: `${folder}/tsconfig.json`,
    compilerOptions: {
      target: 'ES2022',
      lib: ['es2022'],
      module: 'node16',
      esModuleInterop: true,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      resolveJsonModule: true,
      types: ['node'],
    },
    include: ['**/*.ts'],
  });
  // Tools that strip types one file at a time, such as tsx and Node.js, need to see which imports are types.
  if (folder === 'examples') {
    file.addOverride('compilerOptions.module', 'preserve');
    file.addOverride('compilerOptions.verbatimModuleSyntax', true);
  }
}

// One program has all that jsii does not compile, so that tsc reads the sources once. Isolated modules would refuse how indexes re-export types.
for (const pattern of ['../src/**/*.ts', '../scripts/**/*.ts', '../projenrc/**/*.ts', '../.projenrc.ts']) project.tsconfigDev.addInclude(pattern);
project.tsconfigDev.file.addDeletionOverride('compilerOptions.isolatedModules');

project.tsconfig?.file.addOverride('compilerOptions.rootDir', '.');
project.tsconfig?.addInclude('imports/**/*.ts');
// ts-node, which runs this file, needs CommonJS.
project.tsconfig?.file.addOverride('ts-node', { compilerOptions: { module: 'node16', moduleResolution: 'node16' } });

// The package holds the compiled library, the action for GitHub, licence texts and the guide for authors of strategies; everything else stays in the repository.
for (const path of [
  '/.ci/', '/benchmark/', '/.editorconfig', '/CONTRIBUTING.md', '/conformance/', '/default.json', '/.pre-commit-hooks.yaml', '/docs/*', '!/docs/strategies.md', '!/docs/plan.schema.json', '!/docs/clusters.schema.json', '/examples/', '/imports/', '/scripts/', '/.crds-cache/',
]) {
  project.addPackageIgnore(path);
}
// The bundle, `lib/*.js`, has all modules.
for (const pattern of ['/lib/**/*.js', '!/lib/*.js']) project.addPackageIgnore(pattern);
// scripts/bundle.ts puts every package but the peers into the bundle.
project.eslint?.allowDevDeps('src/**');

/** The folders of `src/` from the bottom up: each imports from those before it only. `manifests/` is the half that knows no cdk8s. */
const LAYERS = [
  ...['values', 'schema', 'cel', 'objects', 'go-template', 'rules', 'kubernetes', 'systems', 'stored', 'topology', 'validation', 'images', 'landscape', 'monitoring', 'plan', 'drift', 'adopt', 'route', 'move', 'capacity'].map((room) => `manifests/${room}`),
  ...[
    'app/app-state.ts', 'app/tenant-trees.ts', 'app/problems', 'app/arguments', 'app/synth', 'app/validation', 'contracts', 'images', 'addons/controllers', 'addons/csi',
    'addons/cluster-autoscaler', 'addons', 'control-planes', 'infrastructures', 'deliveries', 'monitoring', 'tenant/isolation', 'tenant', 'blueprints', 'management', 'hosts',
    'hosts/nifcloud', 'operators', 'repository', 'repository/fleet', 'extension.ts', 'testing',
  ].map((room) => `constructs/${room}`),
  'cli', 'constructs/validation-plugin',
];
// Rules that ask for types share the programs of `npm run check:types`.
project.eslint!.config.parserOptions.project = ['./test/tsconfig.json', './examples/tsconfig.json'];
project.eslint?.addRules({
  'import/no-restricted-paths': ['error', {
    zones: LAYERS.slice(0, -1).map((folder, index) => ({
      target: `./src/${folder}`,
      // A folder inside another one is a layer of its own.
      from: LAYERS.slice(index + 1).filter((above) => !folder.startsWith(`${above}/`) && !above.startsWith(`${folder}/`)).map((above) => `./src/${above}`),
      message: `${folder} is below it: see LAYERS in .projenrc.ts.`,
    })),
  }],
});

// The line between the halves.
const CONSTRUCTS = ['cdk8s', 'cdk8s-plus-28', 'constructs', '**/constructs/**', '**/imports/**'];
for (const [folder, above] of [['manifests', ['**/cli/**']], ['cli', []]] as const) {
  project.eslint?.addOverride({
    files: [`src/${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: [...CONSTRUCTS, ...above], message: `${folder}/ knows manifests, and no cdk8s.` }] }] },
  });
}

// 1.13.0 was published without the binaries of most platforms, and `npm ci` refuses a lock file that lacks them.
project.package.addPackageResolutions('unrs-resolver@1.12.2');

// npm runs it before it packs the folder, also for a package that is installed from Git.
project.setScript('prepack', 'node scripts/prepack.js');

const command = (script: string): string => `node -r ./scripts/esbuild-register.js scripts/${script}`;

project.addTask('import', { description: 'Generate imports/ from the pinned CRDs', exec: command('import/main.ts'), receiveArgs: true });
project.addTask('structure', { description: 'Generate data/schemas/ from the pinned CRDs', exec: command('structure/main.ts'), receiveArgs: true });
project.addTask('providers', { description: 'Compare the tables of providers with their definitions', exec: command('providers/main.ts'), receiveArgs: true });
// Quoted, since the text of --source has spaces.
project.addTask('charts', { description: 'Generate the table of bundled charts', exec: `${command('charts/main.ts')} "$@"`, receiveArgs: true });
project.addTask('facts', { description: 'Generate the tables of flags and feature gates', exec: command('facts/main.ts'), receiveArgs: true });
project.addTask('node-modules', { description: 'Generate the Go modules of kubeadm and kubelet of each minor', exec: command('conformance/nodes/node-modules.ts') });
project.addTask('arguments', { description: 'Generate the table of what constructors and methods take', exec: command('arguments/main.ts'), receiveArgs: true });
project.addTask('rules', { description: 'Generate the words of reports, which explain prints', exec: command('rules/main.ts'), receiveArgs: true });
project.addTask('blueprints', { description: 'Generate programs and tables of docs/blueprints/', exec: command('blueprints/main.ts'), receiveArgs: true });
project.addTask('pictures', { description: 'Draw docs/pictures/ with the command line', exec: command('pictures/main.ts'), receiveArgs: true });
project.addTask('upstream', { description: 'List what has newer releases than those that the repository names', exec: command('upstream/main.ts'), receiveArgs: true });
project.addTask('readme', { description: 'Generate the tables of docs/versions.md and docs/forecasts.md', exec: command('readme/main.ts'), receiveArgs: true });
project.addTask('docs', {
  description: 'Build the documentation site into docs/.vitepress/dist/, from the compiled library',
  steps: [{ exec: command('docs/site.ts') }, { exec: 'npm ci --prefix docs --no-audit --no-fund' }, { exec: 'npm run --prefix docs build' }],
});
project.addTask('docs:test', { description: 'Open the documentation site in Chromium (CHROMIUM, else the one of the PATH)', exec: 'npm test --prefix docs' });
project.addTask('generate', {
  description: 'Write all generated files, from the compiled library; with --check, fail if one differs',
  steps: ['import', 'structure', 'providers', 'facts', 'charts', 'arguments', 'rules', 'readme', 'blueprints', 'pictures', 'pages'].map((spawn) => ({ spawn, receiveArgs: true })),
  receiveArgs: true,
});
project.addTask('example', {
  description: 'Build the library and synthesize every folder of examples/',
  steps: [{ spawn: 'compile' }, { spawn: 'post-compile' }, { exec: command('examples/main.ts') }],
});
project.addTask('test:slow', {
  description: 'Run all tests with all inputs, and those that kill processes, or try many random inputs',
  env: { ALL_INPUTS: 'true' },
  exec: 'jest --ci --testPathIgnorePatterns=/node_modules/',
  receiveArgs: true,
});
project.addTask('conformance', {
  description: 'Compare the output and the rules with a real API server (needs Go)', exec: command('conformance/main.ts'), receiveArgs: true,
});
project.addTask('benchmark', { description: 'Measure synthesis and validation against stock cdk8s and a floor', exec: 'node benchmark/main.js', receiveArgs: true });
project.addTask('check:package', {
  description: 'Install the packed tarball in an empty app, with the oldest and newest peers, and every toolchain; with --quick, the newest peers alone',
  exec: command('package/main.ts'),
  receiveArgs: true,
});
project.addTask('check:types', {
  description: 'Check the types of tests, scripts and examples; what has not changed since the last time is not looked at again',
  steps: ['test', 'examples'].map((folder) => ({
    exec: `tsc -p ${folder}/tsconfig.json --incremental --tsBuildInfoFile node_modules/.cache/types/${folder}.tsbuildinfo`,
  })),
});
project.addTask('check:renovate', { description: 'Hold the preset of Renovate to Renovate itself, which is large', exec: command('renovate/main.ts') });
project.addTask('languages', {
  description: 'Write the packages of Python and Go into dist/',
  steps: [{ spawn: 'compile' }, { spawn: 'post-compile' }, { exec: command('languages/generate.ts') }],
});
project.addTask('check:languages', {
  description: 'Run the pages of examples/python and examples/go, and compare what they write with TypeScript', exec: command('languages/main.ts'),
});
project.addTask('check:workflows', {
  description: 'Check the workflows of this repository and of init by actionlint (needs Go)',
  exec: 'go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 .github/workflows/*.yml templates/app/github/workflows/*.yml',
});
project.addTask('check:samples', { description: 'Compile the samples of docstrings', exec: command('samples/main.ts') });
project.addTask('pages', { description: 'Generate docs/command-line.md and docs/clusters.schema.json', exec: command('docs/main.ts'), receiveArgs: true });
project.addTask('single-file', { description: 'Write the command line as one file, dist/cdk8s-cluster-api.cjs, from the compiled library', exec: command('single-file.ts') });
project.addTask('measure:require', { description: 'Measure what requiring the package costs beyond cdk8s', exec: 'node scripts/measure-require.js' });

// Lint is a step of its own.
project.testTask.removeStep(project.testTask.steps.findIndex(({ spawn }) => spawn === 'eslint'));

// With types that submodules export by name.
for (const task of [project.compileTask, project.watchTask]) {
  const [{ exec }] = task.steps;
  task.reset(exec?.replace(/^jsii/, 'node scripts/jsii.js'));
}
project.postCompileTask.exec(command('bundle.ts'), { name: 'Bundle the compiled library' });

pinActions(project.github!);
addWorkflows(project.github!);
addReleaseFiles(project.release!);
addSite(project.release!);
correctRelease(project.github!);

project.synth();
