import { Duration, Yaml } from 'cdk8s';
import { InstallStep } from './command-line-delivery';
import { goDuration } from '../../../manifests/values/go-duration';
import { NAMESPACES } from '../../addons/addon-deliveries';
import { OutputFile } from '../../app/synth/output-files';
import { renderManifests } from '../../contracts/delivery/tenant-manifests';
import { HelmChart, HelmCrdPolicy } from '../../contracts/helm-chart';
import { RequiredSecret } from '../kubeadm-platform';

const DEFAULT_TIMEOUT = Duration.minutes(10);

interface NumberedStep {
  readonly step: InstallStep;
  readonly prefix: string;
}

/** A file that creates namespaces. */
export interface NamespaceFile {
  readonly path: string;
  readonly namespaces: readonly string[];
}

/** Files that install the addons of a cluster, below a folder: values and manifests by number, and a script that takes them in order. */
export function addonFiles(steps: readonly InstallStep[], secrets: readonly RequiredSecret[]): OutputFile[] {
  if (steps.length === 0) return [];
  const all = numbered(steps);
  return [
    ...all.flatMap(({ step, prefix }) => fileOf(step, prefix)),
    { path: 'install.sh', content: installAddons(all, secrets), executable: true },
  ];
}

/** The file with the namespaces that need labels, and their names; undefined without any. */
export function namespaceFile(steps: readonly InstallStep[]): NamespaceFile | undefined {
  const found = numbered(steps).find(isNamespaces);
  if (!found || !('manifests' in found.step)) return undefined;
  const { name, manifests: chart } = found.step.manifests;
  return { path: manifestName(name, found.prefix), namespaces: renderManifests(chart, name).manifests.map(({ metadata }) => `${metadata?.name}`) };
}

function numbered(steps: readonly InstallStep[]): NumberedStep[] {
  return steps.map((step, index) => ({ step, prefix: `${index + 1}`.padStart(2, '0') }));
}

function isNamespaces({ step }: NumberedStep): boolean {
  return 'manifests' in step && step.manifests.name === NAMESPACES;
}

function fileOf(step: InstallStep, prefix: string): OutputFile[] {
  if ('manifests' in step) {
    const { manifests } = renderManifests(step.manifests.manifests, step.manifests.name);
    return [{ path: manifestName(step.manifests.name, prefix), content: Yaml.stringify(...manifests) }];
  }
  const { values } = step.chart.chart;
  return values ? [{ path: valuesName(step.chart.name, prefix), content: Yaml.stringify(values) }] : [];
}

function installAddons(steps: readonly NumberedStep[], secrets: readonly RequiredSecret[]): string {
  return `${[
    '#!/bin/sh',
    '# Installs the addons of the cluster that kubectl and Helm speak to, or brings them up to date.',
    'set -eu',
    'cd "$(dirname "$0")"',
    ...(steps.some(({ step }) => 'chart' in step && replacesCrds(step.chart.chart)) ? ['', ...CRDS] : []),
    // These namespaces may contain Secrets.
    ...steps.filter(isNamespaces).flatMap(({ step, prefix }) => ['', ...commandsOf(step, prefix)]),
    ...(secrets.length > 0 ? ['', '# Without these the addons would never get ready.', ...secrets.map(({ namespace, name }) => `kubectl --namespace ${namespace} get secret ${name} > /dev/null`)] : []),
    ...steps.filter((step) => !isNamespaces(step)).flatMap(({ step, prefix }) => ['', ...commandsOf(step, prefix)]),
  ].join('\n')}\n`;
}

/** Helm makes definitions once, and never changes them. */
const CRDS = [
  '# Makes and replaces the definitions of a chart, which Helm itself leaves alone once they are there.',
  'definitions() {',
  '  found=$(helm show crds "$@")',
  '  if [ -n "$found" ]; then',
  '    printf \'%s\\n\' "$found" | kubectl apply --server-side --force-conflicts --filename -',
  '  fi',
  '}',
];

function commandsOf(step: InstallStep, prefix: string): string[] {
  if ('manifests' in step) return [`kubectl apply --server-side --force-conflicts --filename ${manifestName(step.manifests.name, prefix)}`];
  const { name, chart } = step.chart;
  const source = sourceOf(chart);
  return [
    ...(replacesCrds(chart) ? [`definitions ${source}`] : []),
    [
      `helm upgrade --install ${chart.releaseName} ${source}`,
      `--namespace ${chart.namespace} --create-namespace`,
      ...(chart.values ? [`--values ${valuesName(name, prefix)}`] : []),
      ...(chart.crds === HelmCrdPolicy.CREATE ? [] : ['--skip-crds']),
      ...(chart.wait === false ? [] : ['--wait']),
      `--timeout ${goDuration(chart.timeout ?? DEFAULT_TIMEOUT)}`,
    ].join(' \\\n  '),
  ];
}

function sourceOf({ chart, repository, chartVersion }: HelmChart): string {
  return repository.startsWith('oci://') ? `${repository.replace(/\/$/, '')}/${chart} --version ${chartVersion}` : `${chart} --repo ${repository} --version ${chartVersion}`;
}

function replacesCrds({ crds = HelmCrdPolicy.CREATE_REPLACE }: HelmChart): boolean {
  return crds === HelmCrdPolicy.CREATE_REPLACE;
}

function manifestName(name: string, prefix: string): string {
  return `${prefix}-${name}.yaml`;
}

function valuesName(name: string, prefix: string): string {
  return `${prefix}-${name}.values.yaml`;
}
