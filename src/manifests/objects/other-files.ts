import { ManifestObject, groupKind, groupOf } from './manifest-object';
import { Fields, isFields, stringAt } from '../values/fields';

/** API groups of files that the programs of a node read, and no API server does. */
const NODE_GROUPS: ReadonlySet<string> = new Set([
  'apiserver.config.k8s.io', 'audit.k8s.io', 'kubeadm.k8s.io', 'kubelet.config.k8s.io', 'kubeproxy.config.k8s.io', 'kubescheduler.config.k8s.io',
  'pod-security.admission.config.k8s.io',
]);

/** API groups of files that tools read, and the names of these. */
const TOOLS: Readonly<Record<string, string>> = {
  'backstage.io': 'Backstage',
  'chainsaw.kyverno.io': 'Chainsaw',
  'cli.kyverno.io': 'kyverno',
  'client.authentication.k8s.io': 'kubectl',
  'clusterctl.cluster.x-k8s.io': 'clusterctl',
  'ctlptl.dev': 'ctlptl',
  'eksctl.io': 'eksctl',
  'garden.io': 'Garden',
  'imgpkg.carvel.dev': 'imgpkg',
  'k0sctl.k0sproject.io': 'k0sctl',
  'k3d.io': 'k3d',
  'kapp.k14s.io': 'kapp',
  'kbld.k14s.io': 'kbld',
  'kind.x-k8s.io': 'kind',
  'kpt.dev': 'kpt',
  'kustomize.config.k8s.io': 'kustomize',
  'kuttl.dev': 'kuttl',
  'scaffolder.backstage.io': 'Backstage',
  'score.dev': 'Score',
  'skaffold': 'Skaffold',
  'vendir.k14s.io': 'vendir',
  'zarf.dev': 'Zarf',
};

/** Names of the steps of a test by which kuttl finds its folder (kudobuilder/kuttl pkg/test/case.go). */
const TEST_STEP = /(^|\/)\d+-(assert|errors)\.ya?ml$/;

const TESTS: readonly string[] = ['chainsaw.kyverno.io/Test', 'kuttl.dev/TestAssert', 'kuttl.dev/TestStep'];

/** Names of files with values, by the conventions of Helm and its users. */
const VALUES_FILE = /(^|[/.-])values([.-][\w.-]+)?\.(ya?ml|json)$|(^|\/)values\/[^/]+$/i;

/** Source: rancher/fleet internal/fleetyaml/fleetyaml.go (GetFleetYamlPath), 3b2c622. */
const BUNDLE_FILE = /(^|[/\\])fleet\.ya?ml$/;
const CHART_FILE = /(^|[/\\])Chart\.ya?ml$/;

/** The contents of files that say how a repository is worked on: no cluster is made of them. */
const TOOLING: readonly (readonly [what: string, holds: (value: Fields, file: string) => boolean])[] = [
  // In YAML 1.1, the key "on" is true.
  ['a workflow of GitHub', (value) => isFields(value.jobs) && Object.values(value.jobs).some(isJob) && (value.true ?? value.on) !== undefined],
  ['an action of GitHub', ({ runs }) => stringAt(runs, 'using') !== undefined],
  ['a JSON schema', ({ $schema }) => typeof $schema === 'string' && $schema.includes('json-schema.org')],
  // By its name: values of a chart may have a version and tasks, too. Source: go-task/task taskfile/taskfile.go (DefaultTaskfiles).
  ['a Taskfile', ({ tasks, apiVersion }, file) => /(^|\/)[Tt]askfile(\.dist)?\.ya?ml$/.test(file) && isFields(tasks) && apiVersion === undefined],
  // Source: renovatebot/renovate lib/config/app-strings.ts (configFileNames).
  ['configuration of Renovate', ({ apiVersion }, file) => /(^|\/)renovate\.json$/.test(file) && apiVersion === undefined],
  ['configuration of MkDocs', ({ site_name: name }, file) => /(^|\/)mkdocs\.ya?ml$/.test(file) && name !== undefined],
  // By its name: values of a chart may have services with images, too. Source: compose-spec/compose-go cli/options.go (DefaultFileNames).
  ['a file of Docker Compose', ({ services }, file) => /(^|\/)(docker-)?compose(\.override)?\.ya?ml$/.test(file) && isFields(services)],
  ['a package of npm', ({ apiVersion }, file) => /(^|\/)package(-lock)?\.json$/.test(file) && apiVersion === undefined],
];

/** The contents of files that have a form of their own; of several that hold, the first one counts. */
const FORMS: readonly (readonly [what: string, holds: (value: Fields) => boolean])[] = [
  ['the index of a Helm repository', ({ apiVersion, entries }) => apiVersion === 'v1' && isFields(entries)],
  ['a file of Docker Compose', ({ services }) => isFields(services) && Object.values(services).some((one) => isFields(one) && (one.image ?? one.build) !== undefined)],
  ['a file of helmfile', (value) => Array.isArray(value.releases) && value.apiVersion === undefined],
  ['configuration of kube-state-metrics', ({ apiVersion, kind }) => apiVersion === undefined && kind === 'CustomResourceStateMetrics'],
  // Kubernetes' list of well-known annotations: not meant for a server, unless the value is "false"; kustomize writes none of it.
  ['local configuration of kustomize', ({ metadata }) => !['false', undefined].includes(stringAt(metadata, 'annotations', 'config.kubernetes.io/local-config'))],
  // Older forms of files that the API server and the scheduler read.
  ['configuration of the API server', ({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'EncryptionConfig'],
  ['configuration of the scheduler', ({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Policy'],
  ['a kubeconfig', ({ apiVersion, kind, contexts }) => apiVersion === 'v1' && kind === 'Config' && contexts !== undefined],
];

/** Fields beside apiVersion and kind that objects of built-in kinds have at their top. */
const TOP_FIELDS: ReadonlySet<string> = new Set([
  'apiVersion', 'automountServiceAccountToken', 'binaryData', 'data', 'kind', 'metadata', 'roleRef', 'rules', 'spec', 'status', 'stringData', 'subjects', 'type',
]);

/** True if an object is read by a program other than an API server, by its API group. */
export function isOfProgram(object: ManifestObject): boolean {
  const group = groupOf(object);
  return NODE_GROUPS.has(group) || Object.hasOwn(TOOLS, group);
}

/** True if a file has values of a chart, by its name. */
export function isValuesFile(file: string): boolean {
  return VALUES_FILE.test(file);
}

/** Content of a file that is no object of Kubernetes. */
export interface OtherContent {
  /** Its nature, in a few words. */
  readonly what: string;

  /** The same as a predicate. */
  readonly message: string;

  /** True if it is meant for a server, and every server rejects it. */
  readonly isRefused?: boolean;

  /** True if another program reads it, and no object can come out of it. */
  readonly isOfProgram?: boolean;

  /** True if it says how the repository is worked on: no cluster is made of it. */
  readonly isTooling?: boolean;
}

/**
 * Tells the nature of a value that is no object of Kubernetes; undefined for one that is.
 *
 * @param value the content of a document
 * @param file the path of its file
 */
export function otherContent(value: unknown, file: string): OtherContent | undefined {
  if (!isFields(value)) return { what: 'no manifest', message: `holds no object but a ${Array.isArray(value) ? 'list' : typeof value}` };
  if (CHART_FILE.test(file) && value.kind === undefined) return { what: 'chart', message: 'is not a manifest but a chart: read what "helm template" gives for it' };
  const tooling = TOOLING.find(([, holds]) => holds(value, file))?.[0];
  if (tooling !== undefined) return { ...ofProgram(tooling), isTooling: true };
  const known = FORMS.find(([, holds]) => holds(value))?.[0];
  if (known !== undefined) return ofProgram(known);
  const { apiVersion, kind } = value;
  if (apiVersion === undefined && BUNDLE_FILE.test(file)) {
    return { what: 'options of a bundle of Fleet', message: 'is not a manifest but options of a bundle of Fleet: the chart that it names is not looked at' };
  }
  if (typeof apiVersion === 'string') {
    const tool = toolOf(value, apiVersion);
    if (tool !== undefined) return ofProgram(`configuration of ${tool}`);
    if (typeof kind === 'string') return undefined;
  }
  if (Array.isArray(value.write_files)) {
    return { what: 'cloud-config of a machine', message: 'is cloud-config of a machine: the files and programs that it writes are not looked at' };
  }
  if (isValuesFile(file)) {
    return { what: 'values of a chart', message: 'is not a manifest but values of a chart: which chart that is, and which images it runs, does not stand here' };
  }
  return halfManifest(value);
}

/** True of a job of a workflow: it has a machine, or calls another workflow. */
function isJob(value: unknown): boolean {
  return isFields(value) && (value['runs-on'] ?? value.uses) !== undefined;
}

function ofProgram(what: string): OtherContent {
  return { what, message: `is not a manifest but ${what}`, isOfProgram: true };
}

/** The tool that reads an object, by its group; what has no group, and is not in v1, is no object of Kubernetes, if it has no metadata either. */
function toolOf(value: Fields, apiVersion: string): string | undefined {
  const group = groupOf(value);
  if (group !== '') return Object.hasOwn(TOOLS, group) ? TOOLS[group] : undefined;
  if (apiVersion === 'v1' || apiVersion.includes('/') || value.metadata !== undefined) return undefined;
  // Source: siderolabs/talos pkg/machinery/config/types.
  return apiVersion === 'v1alpha1' ? 'Talos' : 'another program';
}

/** One of the two fields alone stands in files of other programs, too, beside fields that no object has. */
function halfManifest(value: Fields): OtherContent {
  const { apiVersion, kind, metadata } = value;
  const what = 'no manifest';
  const [there, missing] = typeof kind === 'string' ? ['kind', 'apiVersion'] : ['apiVersion', 'kind'];
  const text = there === 'kind' ? kind : apiVersion;
  if (typeof text !== 'string') return { what, message: 'is no manifest: it has no apiVersion and kind' };
  const isRefused = metadata !== undefined || Object.keys(value).every((field) => TOP_FIELDS.has(field));
  return { what, message: `has ${there} ${JSON.stringify(text)} and no ${missing}: ${isRefused ? 'no server takes it' : 'it is no manifest'}`, ...(isRefused && { isRefused }) };
}

/** True if a file is the step of a test, by its name. */
export function isTestStep(file: string): boolean {
  return TEST_STEP.test(file);
}

/** True if a value makes its folder a test: the other files are steps, with expressions, and objects that must be refused. */
export function isTest(value: unknown): boolean {
  return isFields(value) && TESTS.includes(groupKind(value as ManifestObject));
}
